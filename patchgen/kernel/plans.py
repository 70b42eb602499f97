"""What a booted kernel is made to do: stages, as text for the init of the initrd."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from patchgen.series.verify_model import EngineSpec

MODEL = "/sys/module/engine_model/parameters"
RUN = "/sys/kernel/debug/engine_test/run"
KMEMLEAK = "/sys/kernel/debug/kmemleak"
SELF_TEST_SECONDS = 240
ROUNDS = 200
"""Load/unload and bind/unbind rounds."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a boot: its name, what it shows in a report, its commands."""

    name: str
    shows: str
    lines: tuple[str, ...]


def plan_text(stages: Iterable[Stage]) -> str:
    """The plan that init follows."""
    return "".join(
        "\n".join((f"stage {stage.name}", *stage.lines)) + "\n" for stage in stages
    )


@dataclass(frozen=True, slots=True)
class Loading:
    """How the modules of a boot are called below ``/mod`` and loaded."""

    before: tuple[str, ...]
    """Modules that the driver needs, in order."""
    driver: str = "driver.ko"
    model_params: str = ""
    kmemleak: bool = False
    """The kernel can look for memory that nothing points to any more."""


def self_test_stage(loading: Loading, engine: EngineSpec | None) -> Stage:
    """Load everything and let the kernel's own tests judge the algorithms."""
    lines = [f"load /mod/{module}" for module in loading.before]
    if engine is not None:
        lines += [f"load /mod/engine_model.ko {loading.model_params}".rstrip(),
                  f"load /mod/{loading.driver} {engine.params}".rstrip()]
    lines += [f"await {SELF_TEST_SECONDS} /proc/crypto larval", "show /proc/crypto"]
    if engine is not None:
        lines += [f"show {MODEL}/runs", "load /mod/engine_test.ko"]
    return Stage("self-tests", "/proc/crypto and the kernel's extra self-tests", tuple(lines))


def _test(name: str, shows: str, *calls: str, around: tuple[str, str] | None = None) -> Stage:
    lines = [f"write {RUN} {call}" for call in calls]
    if around is not None:
        lines = [around[0], *lines, around[1]]
    return Stage(name, shows, tuple(lines))


_TRAFFIC = (
    _test("record", "requests recorded for the model in Python", "threads 2 40 380",
          around=(f"write {MODEL}/record 48", f"write {MODEL}/record 0")),
    _test("threads", "many requests at once from several kernel threads",
          "threads 4 60 4000", "threads 8 20 20000"),
    _test("jitter", "the same while the engine stops and starts at odd moments",
          "threads 6 60 2000",
          around=(f"write {MODEL}/jitter_us 400", f"write {MODEL}/jitter_us 0")),
    _test("burst", "more requests than the rings and the queue hold",
          "burst 250 2000 0", "burst 250 2000 1000 1"),
    _test("softirq", "requests from softirq context", "softirq 250 3000"),
    _test("shapes", "lengths and scatterlists at and beyond every limit", "shapes"),
    _test("counter", "CTR counters that wrap", "counter"),
    _test("stray-iv", "ECB requests whose IV pointer leads nowhere", "stray-iv"),
    _test("faults", "error bits, lost interrupts, a stuck engine",
          "error-bits", "lost-irq", "stuck"),
    _test("failing-calls", "every mapping and allocation of a request fails once", "fail-nth"),
    Stage("speed", "tcrypt's speed modes to their end", (
        "-load /mod/tcrypt.ko mode=400 sec=0 alg=realtek-md5",
        "-load /mod/tcrypt.ko mode=400 sec=0 alg=realtek-sha1",
        "-load /mod/tcrypt.ko mode=500 sec=0 num_mb=4")),
    _test("unplug", "the device goes and comes back in the middle of traffic",
          "unplug 25 4 3000"),
)


def _fail_probe(engine: EngineSpec, loading: Loading) -> Stage:
    lines = [f"write {RUN} fail-probe", f"unload {engine.module}"]
    for nth in range(1, 9):
        # Only what registers with other parts of the kernel: allocations are done above.
        lines += [f"write {MODEL}/fail_kinds 4", f"write {MODEL}/fail_nth {nth}",
                  f"load /mod/{loading.driver} {engine.params}".rstrip(),
                  f"unload {engine.module}"]
    lines += [f"write {MODEL}/fail_nth 0", f"write {MODEL}/fail_kinds 7",
              f"load /mod/{loading.driver} {engine.params}".rstrip(),
              f"write {RUN} threads 1 10 2000"]
    return Stage("failing-probe", "every call of probe fails once", tuple(lines))


def _bind(engine: EngineSpec) -> Stage:
    driver = f"/sys/bus/platform/drivers/{engine.driver}"
    return Stage("bind", f"{ROUNDS} rounds of unbind and bind", (
        f"repeat {ROUNDS}", f"write {driver}/unbind {engine.device}",
        f"write {driver}/bind {engine.device}", "end",
        f"write {RUN} threads 1 10 2000"))


def _reload(engine: EngineSpec, loading: Loading) -> Stage:
    return Stage("reload", f"{ROUNDS} rounds of unloading and loading the driver", (
        f"repeat {ROUNDS}", f"unload {engine.module}",
        f"load /mod/{loading.driver} {engine.params}".rstrip(), "end",
        f"write {RUN} threads 1 10 2000"))


def _leaks(engine: EngineSpec, loading: Loading) -> Stage:
    lines: tuple[str, ...] = (
        f"unload {engine.module}", "unload engine_test", f"show {MODEL}/complaints",
        "unload engine_model")
    shows = "everything unloaded, no mapping left behind"
    if loading.kmemleak:
        # An object counts as lost when it is five seconds old and two scans do not find it.
        lines += (f"write {KMEMLEAK} scan", "sleep 5500", f"write {KMEMLEAK} scan",
                  f"show {KMEMLEAK}")
        shows += ", and kmemleak finds no memory"
    return Stage("leaks", shows, lines)


NO_TESTS = "write /sys/module/cryptomgr/parameters/notests 1"


def boot_stages(
    loading: Loading, engine: EngineSpec | None, only: Sequence[str] = ()
) -> tuple[Stage, ...]:
    """The stages of a boot; ``only`` picks some (the self-tests always come first).

    Without an engine model there is nothing but the self-tests. The stages that load the
    driver again and again do so with the kernel's tests off: they have passed by then.
    """
    first = self_test_stage(loading, engine)
    if engine is None:
        return (first,)
    again = (_fail_probe(engine, loading), _bind(engine), _reload(engine, loading))
    quiet = tuple(Stage(s.name, s.shows, (NO_TESTS, *s.lines)) for s in again)
    rest = (*_TRAFFIC, *quiet, _leaks(engine, loading))
    return (first, *(s for s in rest if not only or s.name in only))
