"""Attacks a real agent through its socket, and takes its disk away.

usage: attack.py EOSVAULT [KIND...]

EOSVAULT is a program and eosvault-agent is in the same folder. Prints a line for each kind of
attack and ends with `N passed, N failed`; the exit status is 1 when a check failed.
"""

import contextlib
import os
import pathlib
import sys
import tempfile
import traceback

import attack_clients
import attack_disk
import attack_ends
from place import Place
from report import Report

KINDS = {
    "many connections": attack_clients.many_connections,
    "many requests at once": attack_clients.many_partial,
    "slow clients": attack_clients.slow,
    "pipelining, half-close": attack_clients.pipelining,
    "large bodies": attack_clients.large_bodies,
    "JSON bombs": attack_clients.bombs,
    "clients that die": attack_ends.dying_clients,
    "the same request": attack_ends.repeated,
    "lock under load": attack_ends.lock_under_load,
    "time of the lock": attack_ends.time_is_over,
    "killed under load": attack_ends.killed,
    "full disk": attack_disk.full,
    "limited file size": attack_disk.limited,
    "read-only file system": attack_disk.read_only,
    "another user": attack_disk.another_user,
}


def main(program, *chosen):
    """All attacks, each with an agent and a vault of its own; returns the exit status."""
    report = Report()
    for kind, attack in KINDS.items():
        if chosen and kind not in chosen:
            continue
        with contextlib.ExitStack() as stack:
            work = stack.enter_context(tempfile.TemporaryDirectory(prefix="eosvault-attack-"))
            place = Place(program, pathlib.Path(work), report, kind)
            stack.callback(place.end)
            try:
                attack(place)
            except Exception as error:  # pylint: disable=broad-exception-caught
                traceback.print_exc()
                place.check(False, f"{type(error).__name__}: {error}")
        print(report.line(kind), flush=True)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    os.umask(0o077)
    sys.exit(main(*sys.argv[1:]))
