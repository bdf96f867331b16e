"""A disk that is full or read-only, and a process of another user."""

import contextlib
import os
import resource
import subprocess
import sys
import time

from services import request

_TRY = """
import socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(10)
    connection.connect(sys.argv[1])
    connection.sendall(bytes.fromhex(sys.argv[2]))
    print(connection.recv(65536).decode())
"""


@contextlib.contextmanager
def _disk(place, size):
    """A small file system of its own; only root can mount one."""
    folder = place.programs.work / "disk"
    folder.mkdir()
    options = f"size={size},mode=0700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "eosvault-attack", folder], check=True)
    try:
        yield folder
    finally:
        place.end()
        subprocess.run(["umount", folder], check=True)


def _errors(place, count=3):
    """Signatures fail with an error of the vault; the agent lives and still reads."""
    for _ in range(count):
        status, answer = place.sign()
        place.equal(status, 500, f"the status without a disk ({answer})")
        text = answer["error"]["details"][0]["message"] if status == 500 else ""
        place.check("(" in text, f"the message has a code: {text}")
    place.check(place.agent.server.alive(), f"the agent lives: {place.agent.server.tail()}")
    place.equal(place.agent.call("wallet/list_wallets")[0], 200, "the status of list_wallets")


def _signs_again(place):
    """The agent signs as before, after a new unlock if the error locked it."""
    if place.agent.call("wallet/list_wallets")[1] == ["default"]:
        place.unlock()
    status, answer = place.sign()
    place.equal(status, 201, f"the status of a signature afterwards ({answer})")


def _is_root(place):
    if os.geteuid() != 0:
        text = f"{place.kind}: only root can make a file system; this part did not run"
        print(text, file=sys.stderr)
    return os.geteuid() == 0


def full(place):
    """The disk fills up under load; later there is space again."""
    if not _is_root(place):
        return
    with _disk(place, "3m") as folder:
        place.start(folder=folder)
        place.is_well()
        filler = folder / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        for _ in range(200):
            if place.sign()[0] != 201:
                break
        _errors(place)
        filler.unlink()
        _signs_again(place)
        place.is_well()
        place.check_log(place.identifiers, exact=False)


def limited(place):
    """A limit of the size of files stops the vault from growing."""
    place.start()
    place.is_well()
    size = place.vault.path.stat().st_size
    pid = place.agent.server.process.pid
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    for _ in range(200):
        if place.sign()[0] != 201:
            break
    _errors(place)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    _signs_again(place)
    place.is_well()
    place.check_log(place.identifiers, exact=False)


def read_only(place):
    """The vault is on a read-only file system: nothing is signed, and later everything works."""
    if not _is_root(place):
        return
    with _disk(place, "16m") as folder:
        place.start(folder=folder)
        place.is_well()
        place.end()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        place.agent.start()
        status, answer = place.agent.call("wallet/unlock", ["default", place.pin])
        if status == 200:
            _errors(place)
            status, answer = place.agent.call("wallet/create_key", ["default", ""])
        place.equal(status, 500, f"the status of unlock or create_key ({answer})")
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        # An unlock opens the file again.
        place.agent.call("wallet/lock", '"default"')
        _signs_again(place)
        place.is_well()
        place.check_log(place.identifiers, exact=False)


def another_user(place):
    """A process of another user gets no answer, even if the folder and the socket are open."""
    if os.geteuid() != 0:
        print("another user: only root can start a process of another user", file=sys.stderr)
        return
    place.start()
    data = request("wallet/list_wallets", "").hex()
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    words = [*user, "/usr/bin/python3", "-c", _TRY, place.agent.socket, data]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    is_refused = ended.returncode != 0 and "PermissionError" in ended.stderr
    place.check(is_refused, f"by its mode: {ended}")
    for folder in (place.agent.socket.parent, *place.agent.socket.parents[1:-1]):
        is_own = str(folder).startswith(str(place.programs.work)) and folder.owner() == "root"
        if is_own and folder != folder.parent:
            folder.chmod(0o755)
    place.agent.socket.chmod(0o666)
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    place.check("HTTP/1.1 200" not in ended.stdout, f"by its user: {ended}")
    place.check("PermissionError" not in ended.stderr, f"the other user can connect: {ended}")
    is_closed = "ConnectionResetError" in ended.stderr or ended.stdout.strip() == ""
    place.check(is_closed, f"closed: {ended}")
    time.sleep(0.2)
    place.is_well()
