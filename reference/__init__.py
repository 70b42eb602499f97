"""Reference implementations in pure Python, named and ordered like their standards.

Nothing here imports patchgen or anything outside the standard library, and nothing is
meant to keep a secret: lookups depend on keys and data. The package exists to compute test
vectors and to model engines, so it says what it does in the words of the standard it cites.
"""
