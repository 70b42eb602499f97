"""Entry point: pick the command, run it, turn errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from patchgen import __version__
from patchgen.errors import PatchgenError

COMMANDS = {
    "list": "the series there are",
    "series": "generate, check and write a series",
    "show": "the rendered diff or file of one patch, nothing written",
    "validate": "check any series: folder, mbox, mails, git range, C files",
    "checks": "every check with its rule; one check in full",
    "verify": "build every patch on a real kernel, optionally boot it",
    "vectors": "list, cross-validate and emit test vectors",
    "bench": "read tcrypt logs: tables, comparison, thresholds, plots",
    "send": "pre-flight checks, then git send-email",
    "doctor": "which optional tools are here and what they enable",
}
"""What ``patchgen --help`` lists; a command's module is imported only when it is typed."""

INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def _top_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    parser = _Parser(
        prog="patchgen",
        usage="patchgen COMMAND [ARGS …]",
        description="Generate, prove and mail Linux kernel patch series.",
        epilog=f"commands:\n{listing}\n\n`patchgen COMMAND --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"patchgen {__version__}")
    parser.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    return parser


def _run(argv: Sequence[str]) -> int:
    top = _top_parser()
    if not argv:
        top.print_help()
        return 2
    if argv[0].startswith("-"):
        top.parse_args(argv[:1])
        top.error(f"no command given, only {argv[0]!r}")
    name = argv[0]
    if name not in COMMANDS:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, 1)
        top.error(f"no command {name!r}" + (f", did you mean {near[0]!r}?" if near else ""))
    module = importlib.import_module(f"patchgen.cli.{name}")
    parser = _Parser(prog=f"patchgen {name}", description=module.HELP)
    module.add_arguments(parser)
    own, passed_on = list(argv[1:]), []
    if getattr(module, "PASSES_ON", False) and "--" in own:
        at = own.index("--")
        own, passed_on = own[:at], own[at + 1 :]
    args = parser.parse_args(own)
    args.passed_on = passed_on
    return int(module.run(args))


def main(argv: Sequence[str] | None = None) -> int:
    """Run patchgen; returns the exit code of the command line contract."""
    words = list(sys.argv[1:] if argv is None else argv)
    debug = os.environ.get("PATCHGEN_DEBUG") == "1"
    _terminate_like_interrupt()
    try:
        status = _run(words)
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        if debug:
            raise
        print("patchgen: interrupted, nothing half-written", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has enough; a second failure at exit would print a traceback.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except PatchgenError as error:
        if debug:
            raise
        print(f"patchgen: {_one_line(str(error))}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        if debug:
            raise
        where = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or str(error) or type(error).__name__
        print(f"patchgen: {_one_line(where + reason)}", file=sys.stderr)
        return 2
    except RecursionError:
        if debug:
            raise
        print("patchgen: the input is nested too deeply to be read", file=sys.stderr)
        return 2
    except Exception as error:  # the contract: no traceback reaches a user
        if debug:
            raise
        print(
            f"patchgen: internal error: {type(error).__name__}: {_one_line(str(error))};"
            " run again with PATCHGEN_DEBUG=1 and report it",
            file=sys.stderr,
        )
        return 2


def _terminate_like_interrupt() -> None:
    """Let SIGTERM unwind as Ctrl-C does, so that temporary folders go away."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with suppress(ValueError):  # not in the main thread: whoever runs us handles signals
        signal.signal(signal.SIGTERM, stop)


def _one_line(text: str) -> str:
    from patchgen.cli.output import safe

    return safe(" ".join(text.split()))


if __name__ == "__main__":
    raise SystemExit(main())
