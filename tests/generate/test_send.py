"""`patchgen send` to a real SMTP server on this machine."""

from __future__ import annotations

import socket
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from patchgen.cli.main import main
from patchgen.process import have_tool

pytestmark = pytest.mark.skipif(not have_tool("git-send-email"),
                                reason="git-send-email is not installed; apt-get install git-email")


class Collector:
    """Keeps what arrives."""

    def __init__(self) -> None:
        self.arrived: list[bytes] = []

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:  # noqa: N802
        self.arrived.append(envelope.content)  # type: ignore[attr-defined]
        return "250 taken"


@pytest.fixture
def mailbox():
    from aiosmtpd.controller import Controller

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    collector = Collector()
    controller = Controller(collector, hostname="127.0.0.1", port=port)
    controller.start()
    yield collector, port
    controller.stop()


def body(data: bytes) -> str:
    text = message_from_bytes(data, policy=policy.default).get_content()
    return text.replace("\r\n", "\n").rstrip("\n")


def test_seven_threaded_mails_arrive_as_they_were_written(
    tmp_path: Path, mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector, port = mailbox
    (tmp_path / ".gitconfig").write_text(
        "[user]\n\tname = Ä B\n\temail = a@example.org\n[sendemail]\n\tconfirm = never\n",
        "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target)]) == 0
    assert main(["send", str(target), "--to", "list@example.org", "--", "--smtp-server=127.0.0.1",
                 f"--smtp-server-port={port}", "--quiet", "--suppress-cc=all",
                 "--smtp-encryption=none", "--no-smtp-auth"]) == 0
    sent = [p.read_bytes() for p in sorted(target.glob("*.patch"))]
    assert len(collector.arrived) == len(sent) == 7
    mails = [message_from_bytes(data, policy=policy.default) for data in collector.arrived]
    for got, data in zip(mails, sent, strict=True):
        wanted = message_from_bytes(data, policy=policy.default)
        for header in ("Message-ID", "In-Reply-To", "References", "Subject", "From"):
            assert _header(got, header) == _header(wanted, header), header
    assert [body(data) for data in collector.arrived] == [body(data) for data in sent]


def _header(mail: object, name: str) -> str:
    return " ".join(str(mail[name]).split())  # type: ignore[index]


def test_dry_run_sends_nothing(tmp_path: Path, mailbox) -> None:
    collector, port = mailbox
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target)]) == 0
    assert main(["send", str(target), "--to", "list@example.org", "--dry-run", "--",
                 "--smtp-server=127.0.0.1", f"--smtp-server-port={port}"]) == 0
    assert collector.arrived == []


def test_damaged_mails_are_not_sent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target)]) == 0
    next(target.glob("*-0003-*")).unlink()
    capsys.readouterr()
    assert main(["send", str(target), "--to", "list@example.org", "--dry-run"]) == 1
    assert "nothing was sent" in capsys.readouterr().err
