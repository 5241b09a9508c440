"""Elementary functions as vector code, for float and double, at most 4 ulp from the true value.

Each function is a rule over a builder: it reduces its argument, evaluates a polynomial, and puts the result together
again, with selects in place of branches, so that one text serves scalars and vectors of any width. Infinities, NaN,
signed zeros and subnormals follow IEEE 754 and C99 Annex F.
"""
