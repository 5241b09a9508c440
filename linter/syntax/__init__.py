"""The syntax of a file: libcst's nodes, made from Python's own tree, and given their layout where a rewrite needs it.

Python parses a file at a fiftieth of libcst's price.  The analysis asks only for what a node means, so its nodes are
made without white space, commas and parentheses, function by function as they are looked into.  libcst itself parses
what is to be rewritten, and the nodes that are there already are given the layout of those that it finds.
"""
