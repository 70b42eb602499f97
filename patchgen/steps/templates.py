"""Steps ``template`` and ``feature``: files rendered from our templates, and their switches."""

from __future__ import annotations

from patchgen.errors import InputError
from patchgen.render import component_paths, features_of, render
from patchgen.steps.base import Step, StepContext
from patchgen.tree import Tree


class TemplateStep(Step, tag="template", frozen=True):
    """Adds files: each path is rendered from the template of the same path."""

    component: str
    paths: tuple[str, ...]
    replace: bool = False
    """The files may be there already, with other content (a prerequisite's baseline)."""

    def __post_init__(self) -> None:
        if not self.paths:
            raise ValueError("paths: name at least one file")

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not self.replace:
            return next((f"{path}:1" for path in self.paths if tree.exists(path)), None)
        same = all(
            tree.exists(path) and tree.read(path) == render(self.component, path, context.render)
            for path in self.paths)
        return f"{self.paths[0]}:1" if same else None

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        for path in self.paths:
            tree = tree.write(path, render(self.component, path, context.render))
        return tree


class FeatureStep(Step, tag="feature", frozen=True):
    """Switches features on in the templates already rendered; the diff follows from it."""

    component: str
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.features:
            raise ValueError("features: name at least one feature")

    def switches(self) -> frozenset[str]:
        """See ``Step.switches``."""
        return frozenset(self.features)

    def _paths(self, tree: Tree) -> list[str]:
        wanted = set(self.features)
        return [
            path
            for path in component_paths(self.component)
            if features_of(self.component, path) & wanted and tree.exists(path)
        ]

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        paths = self._paths(tree)
        after = context.render.with_features(*self.features)
        if paths and all(tree.read(p) == render(self.component, p, after) for p in paths):
            return f"{paths[0]}:1"
        return None

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        after = context.render.with_features(*self.features)
        for path in self._paths(tree):
            if tree.read(path) != render(self.component, path, context.render):
                raise InputError(
                    "differs from what our template renders, so features cannot be switched",
                    path=path, advice="let the series' baseline come first")
            tree = tree.write(path, render(self.component, path, after))
        return tree
