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
from patchgen.resources import template_roots

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


Roots = tuple[Path, ...]


@lru_cache(maxsize=8)
def environment(roots: Roots) -> jinja2.Environment:
    """The one environment of some template roots; strict, block tags leave no lines behind."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(roots),
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


def component_paths(component: str, roots: Roots | None = None) -> tuple[str, ...]:
    """Every path that a component can render, sorted; raises ``InputError`` if there is none."""
    for root in roots or template_roots():
        folder = root / component
        if folder.is_dir():
            found = (str(file.relative_to(folder)) for file in folder.rglob(f"*{SUFFIX}"))
            return tuple(sorted(path[: -len(SUFFIX)] for path in found))
    raise InputError(f"no template component {component!r}",
                     advice=f"there are: {', '.join(components(roots))}")


def components(roots: Roots | None = None) -> tuple[str, ...]:
    """The names of all components."""
    found = {path.name for root in roots or template_roots() for path in root.iterdir()
             if path.is_dir()}
    return tuple(sorted(found))


def render(component: str, path: str, context: RenderContext, roots: Roots | None = None) -> str:
    """The text of one file; raises ``InputError`` naming template and line."""
    top = roots or template_roots()
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
        raise InputError(error.message or "syntax error", path=error.filename or name,
                         line=error.lineno) from error
    except jinja2.UndefinedError as error:
        raise InputError(str(error.message), path=name, line=_template_line(error),
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
def features_of(component: str, path: str, roots: Roots | None = None) -> frozenset[str]:
    """The features a template asks for by ``feature("name")``, including through imports."""
    top = roots or template_roots()
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
