"""One vault, and several programs that use it at once: agents, and commands of eosvault."""

import json
import sys
import threading
import time

from agent import Agent, AgentCleos
from agent_desk import REFUSED, AgentDesk, transfers

ROUNDS = 10


def two_agents(desk, people):
    """Two agents and commands sign with one vault at once: every signature has its record."""
    with AgentDesk(desk, people, "agent-vault", ["alice", "bob"]) as place:
        place.limit("alice", transfers("alice", "carol"))
        place.limit("bob", transfers("bob", "carol"))
        second = Agent(desk.programs, place.vault, "--confirm", "policy")
        second.start()
        try:
            before = desk.node.balance("carol")
            _at_once(desk, place, AgentCleos(desk, second))
            place.settle()
            units = desk.node.balance("carol") - before
            desk.equal(units, 3 * ROUNDS, "the amount that carol received")
            place.check_records(requester=False)
        finally:
            second.stop()


def _at_once(desk, place, other):
    """Both agents sign for cleos while `eosvault sign` signs with the same vault."""
    place.cleos.unlock()
    pin = place.vault.pin.read_text(encoding="utf-8").rstrip("\n")
    desk.equal(other.run("wallet", "unlock", "--password", pin)[0], 0, "unlock of the second agent")
    answers = []

    def push(cleos, payer, name):
        for number in range(ROUNDS):
            words = ["transfer", payer, "carol", "0.0001 EOS", f"{name} {number}", "-j"]
            answers.append(cleos.run(*words))

    files = [
        desk.file(desk.prepare("transfer", "bob", "carol", "0.0001 EOS", f"by a command {number}"))
        for number in range(ROUNDS)
    ]
    threads = [
        threading.Thread(target=push, args=(place.cleos, "alice", "the first agent")),
        threading.Thread(target=push, args=(other, "bob", "the second agent")),
    ]
    for thread in threads:
        thread.start()
    signed = [place.vault.sign(file, desk.node.chain_id, ["bob"], "json") for file in files]
    for thread in threads:
        thread.join()
    for text in signed:
        words = ["push", "transaction", desk.file(text), "-s", "-j"]
        answers.append(desk.programs.run([*place.cleos.words, *words]))
    for status, output, error in answers:
        if desk.check(status == 0, f"a transfer of the agents and commands: {error}"):
            answer = json.loads(output)
            place.signed.append((answer["transaction_id"], answer["processed"]["block_num"]))
            desk.report.count(desk.kind).accepted += 1


def commands(desk, people):
    """Commands change the vault of an unlocked agent: it uses the change, or it locks."""
    with AgentDesk(desk, people, "agent-commands", ["alice", "bob"]) as place:
        place.limit("alice", transfers("alice", "carol"))
        place.cleos.unlock()
        transfer = ["transfer", "alice", "carol", "0.0001 EOS"]
        place.pushes(*transfer, "before the changes")
        created = place.command("create", "--label", "made by a command").strip()
        place.pushes(*transfer, "after a new key")
        keys = json.loads(place.works("wallet", "keys"))
        desk.check(created in keys, "the agent lists the new key")
        # The tighter policy holds for the next request.
        place.limit("alice", transfers("alice", "bob"))
        place.fails(*transfer, "", code=3120000, shows="`/to` is `carol`")
        place.limit("alice", transfers("alice", "bob", "carol"))
        place.pushes(*transfer, "after a looser policy")
        place.command("rename", "alice", "alice of the agent")
        place.pushes(*transfer, "after a new label")
        desk.equal(place.agent.status(), ["default *"], "the wallet before rekey")
        place.command("rekey", "--drop-other-slots")
        key = people["alice"].public
        words = [*transfer, "after rekey", "--sign-with", key]
        place.fails(*words, code=3120003, shows="Wallet is locked")
        desk.equal(place.agent.status(), ["default"], "the wallet after rekey")
        place.works("wallet", "unlock", "--password",
                    place.vault.pin.read_text(encoding="utf-8").strip(), shows="Unlocked: default")
        place.pushes(*transfer, "after the unlock")
        place.settle()
        place.check_records()


# A program for --confirm: the memo of a transfer decides what it does.
_PROGRAM = """#!{python}
import json, sys, time
review = json.load(sys.stdin)
memo = review["actions"][0]["data"].get("memo", "")
if memo == "refuse":
    sys.exit(3)
if memo == "slow":
    time.sleep(60)
if memo == "another id":
    print("00" * 32)
elif memo != "silent":
    print(review["transaction_id"])
for each in review["warnings"]:
    if "allow" in each and memo != "no word":
        print(each["allow"].partition("=")[2])
"""


def programs(desk, people):
    """A program accepts requests; whatever else it does refuses them."""
    file = desk.programs.work / "accepts"
    file.write_text(_PROGRAM.format(python=sys.executable), encoding="utf-8")
    file.chmod(0o700)
    with AgentDesk(desk, people, "agent-program", ["bob", "dave"], file) as place:
        place.agent.options += ("--confirm-timeout", "5s")
        place.agent.stop()
        place.agent.start()
        place.cleos.unlock()
        transfer = ["transfer", "bob", "carol", "0.0001 EOS"]
        place.pushes(*transfer, "accepted by a program")
        for memo in ("refuse", "another id", "silent"):
            place.fails(*transfer, memo, code=REFUSED, shows="not signed")
        started = time.monotonic()
        place.fails(*transfer, "slow", code=REFUSED, shows="(")
        desk.check(time.monotonic() - started < 30, "a slow program is ended at its limit")
        words = ["set", "account", "permission", "dave", "active", people["dave"].public, "owner"]
        place.pushes(*words, "-p", "dave@active")
        place.settle()
        place.check_records()
