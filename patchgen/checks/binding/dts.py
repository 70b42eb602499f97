"""The examples of a binding: enough of devicetree source to build a blob from them.

Names from ``dt-bindings`` headers count as 0: their value is no part of a schema check.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|\#\s*(?:include|define|ifdef|ifndef|endif|if|else)\b[^\n]*"
    r"|(?P<string>\"(?:\\.|[^\"\\])*\")"
    r"|(?P<directive>/[a-z0-9-]+/)"
    r"|(?P<label>[A-Za-z_]\w*:(?!:))"
    r"|(?P<name>[A-Za-z0-9,._+?#-][A-Za-z0-9,._+?#@-]*)"
    r"|(?P<mark>[{}<>\[\]();=&/,|*+~!^%-]|<<|>>)",
    re.DOTALL,
)


class DtsError(Exception):
    """The example is no devicetree source; ``line`` counts from 1 in the example."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


@dataclass(slots=True)
class Node:
    """One node: properties as bytes in cell order, and the nodes in it."""

    name: str
    line: int
    label: str | None = None
    properties: dict[str, bytes] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    references: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def walk(self) -> list[Node]:
        """The node and all below it."""
        return [self, *(n for child in self.children for n in child.walk())]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    position = 0
    line = 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise DtsError(f"unexpected {text[position]!r}", line)
        if match.lastgroup is not None:
            found.append(_Token(match.lastgroup, match[0], line))
        line += match[0].count("\n")
        position = match.end()
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0

    def _peek(self, ahead: int = 0) -> _Token:
        at = self._at + ahead
        last = self._tokens[-1].line if self._tokens else 1
        return self._tokens[at] if at < len(self._tokens) else _Token("end", "", last)

    def _take(self, text: str | None = None) -> _Token:
        token = self._peek()
        if token.kind == "end" or (text is not None and token.text != text):
            raise DtsError(f"expected {text or 'more'}, found {token.text or 'the end'}",
                           token.line)
        self._at += 1
        return token

    def file(self) -> Node:
        root = Node("", 1)
        while self._peek().kind != "end":
            if self._peek().kind == "directive":
                self._at += 1
                if self._peek().text == ";":
                    self._at += 1
                continue
            self._item(root)
        return root

    def _item(self, parent: Node) -> None:
        label = None
        while self._peek().kind == "label":
            label = self._take().text[:-1]
        if self._peek().kind == "directive":
            self._at += 1
            if self._peek().text == "&":
                self._at += 1
            self._take()
            if self._peek().text == ";":
                self._take(";")
            return
        name = self._take()
        if name.text == "&":
            name = _Token("name", f"&{self._take().text}", name.line)
        following = self._peek().text
        if following == "{":
            self._node(parent, name, label)
        elif following == "=":
            self._take("=")
            self._value(parent, name)
        else:
            self._take(";")
            parent.properties[name.text] = b""
            parent.lines[name.text] = name.line

    def _node(self, parent: Node, name: _Token, label: str | None) -> None:
        node = parent if name.text == "/" else Node(name.text, name.line, label)
        if node is not parent:
            parent.children.append(node)
        self._take("{")
        while self._peek().text != "}":
            self._item(node)
        self._take("}")
        self._take(";")

    def _value(self, node: Node, name: _Token) -> None:
        data = bytearray()
        references: list[tuple[int, str]] = []
        width = 4
        while True:
            token = self._take()
            if token.kind == "directive" and token.text == "/bits/":
                width = int(self._take().text, 0) // 8
            elif token.kind == "string":
                text = token.text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
                data += text.encode("utf-8") + b"\0"
            elif token.text == "<":
                self._cells(data, width, references)
            elif token.text == "[":
                while self._peek().text != "]":
                    data += bytes.fromhex(self._take().text)
                self._take("]")
            elif token.text == "&":
                data += f"/{self._take().text}".encode() + b"\0"
            elif token.text == ";":
                break
            elif token.text != "," and token.kind != "label":
                raise DtsError(f"unexpected {token.text!r} in a value", token.line)
        node.properties[name.text] = bytes(data)
        node.lines[name.text] = name.line
        node.references[name.text] = references

    def _cells(self, data: bytearray, width: int, references: list[tuple[int, str]]) -> None:
        while self._peek().text != ">":
            token = self._take()
            if token.text == "&":
                references.append((len(data), self._take().text))
                data += b"\xff" * 4
            elif token.text == "(":
                depth = 1
                while depth:
                    text = self._take().text
                    depth += (text == "(") - (text == ")")
                data += b"\0" * width
            elif token.kind == "name":
                data += _number(token.text).to_bytes(width, "big")
            elif token.kind != "label":
                raise DtsError(f"unexpected {token.text!r} in cells", token.line)
        self._take(">")


def _number(text: str) -> int:
    try:
        return int(text, 0) & 0xFFFFFFFF
    except ValueError:
        return 0


def parse_example(text: str) -> Node:
    """The nodes of an example below one nameless node; raises ``DtsError``."""
    try:
        return _Parser(text).file()
    except (ValueError, OverflowError) as error:
        raise DtsError(f"not devicetree source: {error}", 1) from error
