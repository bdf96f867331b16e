"""A vault, its agent, and connections to it, for one attack."""

import json
import os
import pathlib
import re
import socket
import time

import clients
import services
from agent import Agent
from programs import PATIENCE
from vaults import eosvault


class Environment:
    """What `Vault` and `Agent` need of the programs; no chain."""

    def __init__(self, program, work):
        self.eosvault = pathlib.Path(program).resolve()
        self.work = work
        self.environment = {
            "HOME": str(work), "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8",
            "XDG_STATE_HOME": str(work / "state"), "XDG_DATA_HOME": str(work / "data"),
        }

    def run(self, words, stdin=None):
        """Runs a program to its end; returns (exit status, standard output, standard error)."""
        return services.Programs.run(self, words, stdin)


class Place:
    """A vault with one key and its policy, and an agent for it."""

    def __init__(self, program, work, report, kind, folder=None):
        self.programs = Environment(program, work)
        self.report = report
        self.kind = kind
        self.folder = folder or work
        self.vault = None
        self.agent = None
        self.identifiers = []

    def start(self, *options, folder=None):
        """Makes the vault, if there is none, starts the agent, and unlocks it."""
        if self.vault is None:
            self.programs.work, before = folder or self.programs.work, self.programs.work
            self.vault = services.make_vault(self.programs, "attacked", 0)
            self.programs.work = before
        if self.agent is None:
            self.agent = Agent(self.programs, self.vault, "--confirm", "policy", *options)
        self.agent.start()
        self.unlock()

    def unlock(self):
        """Unlocks the vault."""
        status, answer = self.agent.call("wallet/unlock", ["default", self.pin])
        self.equal(status, 200, f"the status of unlock ({answer})")

    @property
    def pin(self):
        """The PIN of the vault."""
        return self.vault.pin.read_text(encoding="utf-8").rstrip("\n")

    def end(self):
        """Ends the agent."""
        if self.agent:
            self.agent.stop()

    def check(self, good, text):
        """Counts one check."""
        return self.report.check(self.kind, good, text)

    def equal(self, actual, expected, what):
        """Counts one comparison."""
        return self.report.equal(self.kind, actual, expected, what)

    # Connections

    def connect(self):
        """A connection to the agent."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(str(self.agent.socket))
        return connection

    def sign(self, number=None):
        """Signs a new transaction; returns (status, answer)."""
        number = next(clients.numbers) if number is None else number
        status, answer = self.agent.call("wallet/sign_transaction", clients.transaction(number))
        if status == 201:
            self.identifiers.append(clients.identifier(answer))
        return status, answer

    def is_well(self, limit=2.0):
        """The agent answers others at once: a reading call and a signature."""
        self.check(self.agent.server.alive(), f"the agent lives: {self.agent.server.tail()}")
        began = time.monotonic()
        self.equal(self.agent.call("wallet/list_wallets"), (200, ["default *"]), "the wallets")
        seconds = time.monotonic() - began
        self.check(seconds < limit, f"an answer after {seconds:.2f} s")
        status, answer = self.sign()
        self.equal(status, 201, f"the status of a signature ({answer})")

    def memory(self, member):
        """A figure of the agent's memory in MiB."""
        return services.Service("agent", "", self.agent.server).memory(member)

    # The log

    def records(self):
        """The records of signatures."""
        where = ["--vault", self.vault.path, "--pin-file", self.vault.pin]
        lines = eosvault(self.programs, "log", "export", *where).splitlines()
        return [each for each in map(json.loads, lines) if each["event"] == "signed"]

    def check_log(self, identifiers, exact=True):
        """Every answered signature has one record, and the log and the vault are whole."""
        where = ["--vault", self.vault.path, "--pin-file", self.vault.pin]
        found = [each["transaction_id"] for each in self.records()]
        missing = set(identifiers) - set(found)
        self.check(not missing, f"{len(missing)} answered signatures are not in the log")
        count = len(set(found))
        self.equal(len(found), count, "the number of records, and of transactions in them")
        if exact:
            self.equal(len(found), len(set(identifiers)), "the number of records")
        eosvault(self.programs, "check", *where)
        eosvault(self.programs, "log", "verify", *where)


def status_of(data):
    """The status of the first answer in some bytes; None if there is none."""
    found = re.match(rb"HTTP/1\.[01] (\d+) ", data)
    return int(found.group(1)) if found else None


def read_all(connection, seconds):
    """Everything until the agent closes; (bytes, whether it closed, seconds it took)."""
    data, began = b"", time.monotonic()
    while time.monotonic() - began < seconds:
        connection.settimeout(max(0.01, seconds - (time.monotonic() - began)))
        try:
            more = connection.recv(1 << 20)
        except TimeoutError:
            break
        except OSError:
            return data, True, time.monotonic() - began
        if not more:
            return data, True, time.monotonic() - began
        data += more
    return data, False, time.monotonic() - began
