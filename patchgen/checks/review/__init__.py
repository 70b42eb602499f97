"""Everything at once: all rules that fit a series, or sources named directly."""

from patchgen.checks.review.options import ReviewOptions
from patchgen.checks.review.review import Review, review_series, review_sources

__all__ = ["Review", "ReviewOptions", "review_series", "review_sources"]
