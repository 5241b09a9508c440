"""Which functions are worth running although nobody is seen to call them: a look at their words, and at what these mean.

A function that nobody calls runs outside every trace.  It matters if it reaches a transform, may draw from one random key
twice, or may change an array in place, by itself or in what it uses of the project.  Others are not run, and not even
parsed.  All of this errs towards yes: the interpreter has the last word.
"""
