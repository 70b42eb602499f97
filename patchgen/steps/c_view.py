"""What the C grammar gets to see of a kernel source: same length, fewer surprises.

Kernel C is not preprocessed when we read it. A few habits that only the preprocessor
understands are blanked or replaced by words of no greater length, so that every byte
offset in the syntax tree is also the offset in the file.
"""

from __future__ import annotations

import re

# Annotations of include/linux/compiler_types.h, compiler_attributes.h, init.h: no meaning here.
_ANNOTATION = re.compile(
    rb"\b(?:__iomem|__user|__kernel|__percpu|__rcu|__force|__nocast|__bitwise|__private|__safe"
    rb"|__init|__exit|__initdata|__initconst|__exitdata|__meminit|__ref|__refdata|__devinit"
    rb"|__devexit|__cpuinit|__read_mostly|__ro_after_init|__maybe_unused|__always_unused|__used"
    rb"|__must_check|__always_inline|__cold|__hot|__pure|__weak|__packed|__visible|__malloc"
    rb"|__deprecated|__noreturn|__attribute_const__|__sched|__cpuidle|__latent_entropy"
    rb"|____cacheline_aligned(?:_in_smp)?|__cacheline_aligned(?:_in_smp)?"
    rb"|noinline(?:_for_stack|_for_tracing)?|asmlinkage|notrace|noinstr|fallthrough)\b"
)
_LOCK_NOTE = re.compile(
    rb"\b(?:__acquires|__releases|__must_hold|__cond_acquires|__printf|__scanf|__aligned"
    rb"|__section|__alias|__counted_by|__alloc_size)\s*\([^()\n]*\)"
)
_LOOP = re.compile(rb"\b(?=\w*for_each)(\w{5,})(?=\s*\()")
_SCOPE = re.compile(rb"\b(scoped_guard|scoped_cond_guard)(?=\s*\()")
_TYPE_ARGUMENT = re.compile(rb"(?<=[(,])(\s*)(struct|union|enum)(?=\s+\w+\s*[,)])")
_MACRO_LINE = re.compile(
    rb"^(?!(?:if|for|while|switch|return|sizeof|do|else|case)\b)"
    rb"[A-Za-z_]\w*[ \t]*\([^;{}\n]*\)[ \t]*$",
    re.MULTILINE,
)

_GAP = re.compile(rb"(?:\s|/\*.*?\*/|//[^\n]*)*", re.DOTALL)


def parse_view(data: bytes) -> bytes:
    """The bytes to parse in place of ``data``: equally long, with the same line breaks."""
    view = _ANNOTATION.sub(_blank, data)
    view = _LOCK_NOTE.sub(_blank, view)
    view = _LOOP.sub(lambda m: b"while".ljust(len(m[1])), view)
    view = _SCOPE.sub(lambda m: b"while".ljust(len(m[1])), view)
    view = _TYPE_ARGUMENT.sub(lambda m: m[1] + b" " * len(m[2]), view)
    view = _MACRO_LINE.sub(lambda m: _blank(m) if _stands_alone(view, m) else m[0], view)
    assert len(view) == len(data)
    return view


def _blank(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", match[0])


def _stands_alone(view: bytes, match: re.Match[bytes]) -> bool:
    """Whether a line such as ``EXPORT_SYMBOL(x)`` is a whole item without its semicolon.

    It is not when a body or a further line of a declaration follows, or when it goes on
    from the line above it.
    """
    before = view[: match.start()].rstrip().rsplit(b"\n", 1)[-1]
    after = _GAP.match(view, match.end())
    behind = view[after.end() : after.end() + 1] if after else b""
    goes_on = behind in (b"{", b";", b",", b"=", b")", b":")
    starts = not before or before.startswith(b"#") or before.endswith((b";", b"}", b")", b"*/"))
    return starts and not goes_on
