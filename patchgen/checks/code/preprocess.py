"""One C source file through the preprocessor, without a preprocessor.

Every file is read once and stands alone: an included header of the same component only lends
its macros (and, later, its types); its text is not pasted in. Headers that are neither in
the component nor among our stubs lend nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from patchgen.checks.code.conditions import Evaluator
from patchgen.checks.code.macros import Expander, Macro, parse_define, split_arguments
from patchgen.checks.code.tokens import Comment, Token, split_comments, tokenize_line
from patchgen.profiles import KernelVersion

_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\b[ \t]*(.*)", re.DOTALL)
_ASSEMBLER = re.compile(r"(?m)^\s*\.(?:macro|endm|altmacro)\b")
"""A header of assembler macros: nothing in it is C."""
_INCLUDE = re.compile(r"\s*([<\"])([^>\"]+)[>\"]")
RECORDED = re.compile(
    r"MODULE_\w+|module_\w+|EXPORT_SYMBOL\w*|builtin_\w+|(?:\w+_)?initcall(?:_sync)?|"
    r"EXPORT_\w+SYMBOL\w*|crypto_\w+_initcall|subsys_initcall"
)


@dataclass(frozen=True, slots=True)
class Include:
    """One ``#include``; ``system`` for ``<…>``."""

    path: str
    system: bool
    line: int


@dataclass(frozen=True, slots=True)
class MacroCall:
    """A file-level macro call kept for the rules, such as ``MODULE_LICENSE("GPL")``."""

    name: str
    arguments: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Preprocessed:
    """What one file holds after its directives are dealt with."""

    path: str
    text: str
    tokens: list[Token] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    includes: list[Include] = field(default_factory=list)
    calls: list[MacroCall] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    visible: dict[str, Macro] = field(default_factory=dict)
    config_words: list[tuple[str, int]] = field(default_factory=list)


class Preprocessor:
    """Reads the files of one component; each at most once."""

    def __init__(self, sources: Mapping[str, str], *, kernel: KernelVersion,
                 stub_macros: Mapping[str, Macro]) -> None:
        self._sources = sources
        self._kernel = kernel
        self._stub_macros = stub_macros
        self._done: dict[str, Preprocessed] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in sources:
            self._by_name.setdefault(posixpath.basename(path), []).append(path)

    def resolve(self, including: str, path: str) -> str | None:
        """The component's own file that an ``#include`` means, or None."""
        near = posixpath.normpath(posixpath.join(posixpath.dirname(including), path))
        if near in self._sources:
            return near
        named = [p for p in self._by_name.get(posixpath.basename(path), ())
                 if p == path or p.endswith(f"/{path}")]
        return named[0] if len(named) == 1 else None

    def file(self, path: str) -> Preprocessed:
        """The file of this path; headers that include each other see what is there so far."""
        if path not in self._done:
            result = Preprocessed(path, self._sources[path])
            self._done[path] = result
            _FileReader(self, result, self._kernel, self._stub_macros).read()
        return self._done[path]


class _FileReader:
    """The state of reading one file: macros so far, and which branches are open."""

    def __init__(self, owner: Preprocessor, result: Preprocessed, kernel: KernelVersion,
                 stub_macros: Mapping[str, Macro]) -> None:
        self._owner = owner
        self._result = result
        self._macros: dict[str, Macro] = dict(stub_macros)
        self._open: list[list[bool]] = []
        self._evaluator = Evaluator(
            is_defined=lambda name: (name in self._macros and name not in stub_macros)
            or name in ("__KERNEL__", "MODULE"),
            value_of=self._value, kernel=kernel,
        )
        self._handlers: dict[str, Callable[[str, int], None]] = {
            "if": lambda rest, _: self._push(self._evaluator.truth(rest)),
            "ifdef": lambda rest, _: self._push(self._truth_of_name(rest)),
            "ifndef": lambda rest, _: self._push(not self._truth_of_name(rest)),
            "elif": lambda rest, _: self._elif(rest),
            "else": lambda _rest, _: self._else(),
            "endif": lambda _rest, _: self._endif(),
        }

    def _value(self, name: str) -> str | None:
        macro = self._macros.get(name)
        return None if macro is None or macro.params is not None else macro.text.strip("() ")

    def _truth_of_name(self, rest: str) -> bool:
        return self._evaluator.truth(f"defined({rest.split()[0] if rest.split() else '0'})")

    @property
    def _active(self) -> bool:
        return all(branch[0] for branch in self._open)

    def _push(self, truth: bool) -> None:
        self._open.append([truth, truth])

    def _elif(self, rest: str) -> None:
        if self._open:
            branch = self._open[-1]
            branch[0] = not branch[1] and self._evaluator.truth(rest)
            branch[1] = branch[1] or branch[0]

    def _else(self) -> None:
        if self._open:
            branch = self._open[-1]
            branch[0] = not branch[1]
            branch[1] = True

    def _endif(self) -> None:
        if self._open:
            self._open.pop()

    def read(self) -> None:
        """Fill the result from the file's text."""
        result = self._result
        stripped, result.comments = split_comments(result.text.replace("\r\n", "\n"))
        raw: list[Token] = []
        lines = stripped.split("\n")
        index = 0
        while index < len(lines):
            line = lines[index]
            number = index + 1
            index += 1
            bare = line.lstrip()
            if not bare:
                continue
            if bare[0] == "#":
                while line.rstrip().endswith("\\") and index < len(lines):
                    line = line.rstrip()[:-1] + " " + lines[index]
                    index += 1
                self._directive(line, number)
            elif not self._open or self._active:
                raw.extend(tokenize_line(line, number, result.path))
        result.visible = self._macros
        if result.path.endswith(".h") and _ASSEMBLER.search(stripped):
            return
        kept = self._record_calls(raw)
        result.tokens = Expander(self._macros).expand(kept)

    def _directive(self, line: str, number: int) -> None:
        match = _DIRECTIVE.match(line)
        if match is None:
            return
        word, rest = match[1], match[2].strip()
        if word in ("if", "ifdef", "ifndef", "elif"):
            for name in re.findall(r"\bCONFIG_\w+", rest):
                self._result.config_words.append((name, number))
        handler = self._handlers.get(word)
        if handler is not None:
            handler(rest, number)
        elif self._active:
            if word == "define":
                self._define(rest, number)
            elif word == "undef" and rest:
                self._macros.pop(rest.split()[0], None)
            elif word == "include":
                self._include(rest, number)

    def _define(self, rest: str, number: int) -> None:
        macro = parse_define(rest, number, self._result.path)
        if macro is not None:
            self._macros[macro.name] = macro
            self._result.macros[macro.name] = macro

    def _include(self, rest: str, number: int) -> None:
        match = _INCLUDE.match(rest)
        if match is None:
            return
        include = Include(match[2], match[1] == "<", number)
        self._result.includes.append(include)
        own = self._owner.resolve(self._result.path, include.path)
        if own is not None and own != self._result.path:
            header = self._owner.file(own)
            for name, macro in header.visible.items():
                self._macros.setdefault(name, macro)
            self._macros.update(header.macros)

    def _record_calls(self, tokens: list[Token]) -> list[Token]:
        """Take file-level macro calls that the rules read out of the token list."""
        out: list[Token] = []
        depth = 0
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "LBRACE":
                depth += 1
            elif token.type == "RBRACE":
                depth -= 1
            elif depth == 0 and token.type == "ID" and index + 1 < len(tokens) \
                    and tokens[index + 1].type == "LPAREN" and RECORDED.fullmatch(token.value) \
                    and token.value not in self._result.macros \
                    and (not out or out[-1].type in ("SEMI", "RBRACE")):
                split = split_arguments(tokens, index + 1)
                if split is not None:
                    self._keep(token, split[0])
                    index = split[1]
                    if index < len(tokens) and tokens[index].type == "SEMI":
                        index += 1
                    continue
            out.append(token)
            index += 1
        return out

    def _keep(self, name: Token, arguments: list[list[Token]]) -> None:
        texts = tuple(" ".join(t.value for t in argument) for argument in arguments)
        self._result.calls.append(MacroCall(name.value, texts, name.lineno))
