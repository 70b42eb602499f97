"""Names of things in C as the rules compare them."""

from __future__ import annotations

import re


def normal_key(text: str) -> str:
    """A lvalue without what differs between uses: casts, ``&``, indices."""
    text = re.sub(r"\[[^\]]*\]", "[]", text)
    text = re.sub(r"^\([\w\s*]+\)\s*", "", text)
    return text.lstrip("&*( ").rstrip(") ")


def tail(text: str) -> str:
    """The last member of a lvalue: ``dma`` of ``rctx->src.dma``."""
    return re.split(r"->|\.", text)[-1]


def base(text: str) -> str:
    """The variable a lvalue starts from: ``rctx`` of ``rctx->src.dma``."""
    return re.split(r"->|\.|\[", text)[0]


def same_resource(one: str, other: str) -> bool:
    """Whether two lvalues may name one thing: equal, of one last member, or of one array."""
    if one == other or tail(one) == tail(other):
        return True
    return "[]" in one and "[]" in other and one.split("[]")[0] == other.split("[]")[0]
