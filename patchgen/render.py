"""The Jinja environment that turns ``templates/kernel/COMPONENT/PATH.j2`` into ``PATH``.

Templates may use ``kernel`` (the profile), ``feature("name")`` (whether a feature is
switched on) and the series' own ``params``. An undefined name is an error with file and
line, never an empty string.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import jinja2
from jinja2 import nodes

from patchgen.errors import InputError
from patchgen.profiles import KernelProfile
from patchgen.resources import templates_root

SUFFIX = ".j2"


@dataclass(frozen=True)
class RenderContext:
    """What one rendering depends on: same context, same bytes."""

    kernel: KernelProfile
    features: frozenset[str] = frozenset()
    params: Mapping[str, object] = field(default_factory=dict)

    def with_features(self, *names: str) -> RenderContext:
        """The same context with more features on."""
        return RenderContext(self.kernel, self.features | set(names), self.params)


@lru_cache(maxsize=4)
def environment(root: Path) -> jinja2.Environment:
    """The one environment of a template root; strict, block tags leave no lines behind."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(root),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )


def template_name(component: str, path: str) -> str:
    """The template that renders to ``path``: the path is the mapping."""
    return f"{component}/{path}{SUFFIX}"


def component_paths(component: str, root: Path | None = None) -> tuple[str, ...]:
    """Every path that a component can render, sorted; raises ``InputError`` if there is none."""
    folder = (root or templates_root()) / component
    if not folder.is_dir():
        raise InputError(f"no template component {component!r}",
                         advice=f"there are: {', '.join(components(root))}")
    return tuple(
        sorted(
            str(file.relative_to(folder))[: -len(SUFFIX)] for file in folder.rglob(f"*{SUFFIX}")
        )
    )


def components(root: Path | None = None) -> tuple[str, ...]:
    """The names of all components."""
    return tuple(sorted(p.name for p in (root or templates_root()).iterdir() if p.is_dir()))


def render(component: str, path: str, context: RenderContext, root: Path | None = None) -> str:
    """The text of one file; raises ``InputError`` naming template and line."""
    top = root or templates_root()
    name = template_name(component, path)
    try:
        template = environment(top).get_template(name)
        return template.render(
            kernel=context.kernel,
            feature=lambda wanted: wanted in context.features,
            **context.params,
        )
    except jinja2.TemplateNotFound as error:
        raise InputError(f"no such template: {error.name}",
                         advice="the path below the component must be the kernel's own") from error
    except jinja2.TemplateSyntaxError as error:
        raise InputError(error.message or "syntax error", path=error.filename or top / name,
                         line=error.lineno) from error
    except jinja2.UndefinedError as error:
        raise InputError(str(error.message), path=top / name, line=_template_line(error),
                         advice="define it in the series' [params]") from error


def _template_line(error: BaseException) -> int | None:
    """The innermost template line of a traceback that Jinja has rewritten."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(SUFFIX):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


@lru_cache(maxsize=512)
def features_of(component: str, path: str, root: Path | None = None) -> frozenset[str]:
    """The features a template asks for by ``feature("name")``, including through imports."""
    top = root or templates_root()
    return frozenset(_features(environment(top), template_name(component, path), set()))


def _features(env: jinja2.Environment, name: str, seen: set[str]) -> Iterator[str]:
    if name in seen:
        return
    seen.add(name)
    assert env.loader is not None
    source, _, _ = env.loader.get_source(env, name)
    tree = env.parse(source, name)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "feature":
            for argument in call.args:
                if isinstance(argument, nodes.Const):
                    yield str(argument.value)
    for used in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        target = getattr(used, "template", None)
        if isinstance(target, nodes.Const):
            yield from _features(env, str(target.value), seen)
