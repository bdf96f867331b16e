"""A vault whose keys have policies, its agent, and checks of what cleos prints."""

import json
import os

from agent import Agent, AgentCleos
from node import Refused
from vaults import Declined, Vault, eosvault

# The error of a refusal, as keosd numbers it.
REFUSED = 3120000


class AgentDesk:
    """An agent for a new vault with copies of keys of `people`. `with` ends the agent."""

    def __init__(self, desk, people, name, labels, confirm="policy", make=Agent):
        self.desk = desk
        self.people = people
        self.vault = Vault(desk.programs, name)
        for label in labels:
            self.vault.take(label, (people[label].public, people[label].private))
        self.second = self.vault.second_method()
        self.agent = make(desk.programs, self.vault, "--confirm", confirm)
        self.cleos = AgentCleos(desk, self.agent)
        self.limited = set()
        self.signed = []

    def __enter__(self):
        self.agent.start()
        return self

    def __exit__(self, *_):
        self.agent.stop()

    def command(self, name, *words):
        """A command of eosvault on the same vault, with the PIN."""
        where = ["--vault", self.vault.path, "--pin-file", self.vault.pin]
        return eosvault(self.desk.programs, *name.split(), *words, *where)

    def limit(self, label, *rules, **more):
        """Sets a policy for a key: on this chain, what `rules` allow."""
        policy = {"version": 1, "chains": [self.desk.node.chain_id], "rules": list(rules), **more}
        method = ["--second", "pin", "--new-second-file", self.second]
        if label in self.limited:
            method = ["--second-file", self.second]
        self.limited.add(label)
        self.command("policy set", label, self.desk.file(policy), *method, "--yes")

    # Checks of one command of cleos.

    def works(self, *words, shows=""):
        """cleos ends with status 0 and prints a text; returns what it printed."""
        status, output, error = self.cleos.run(*words)
        name = " ".join(str(word) for word in words[:3])
        self.desk.equal(status, 0, f"the status of cleos {name} ({error[-300:]})")
        self.desk.check(shows in output + error, f"cleos {name} prints {shows}: {output}{error}")
        return output

    def fails(self, *words, code, shows):
        """cleos ends with status 1, prints the code of the error and its reason, and no answer."""
        status, output, error = self.cleos.run(*words)
        name = " ".join(str(word) for word in words[:3])
        self.desk.equal(status, 1, f"the status of cleos {name}")
        self.desk.check(f"Error {code}" in error, f"cleos {name} prints error {code}: {error}")
        self.desk.check(shows in error, f"cleos {name} prints {shows!r}: {error}")
        self.desk.equal(output, "", f"what cleos {name} prints")

    def pushes(self, *words, keys=1):
        """cleos has the agent sign with `keys` keys, and the chain executes it."""
        status, output, error = self.cleos.run(*words, "-j")
        name = " ".join(str(word) for word in words[:3])
        self.desk.equal(status, 0, f"the status of cleos {name} ({error[-400:]})")
        try:
            answer = json.loads(output)
            trace = answer["processed"]
            if trace.get("except"):
                raise Refused(trace["except"]["name"], trace["except"]["code"], name)
        except (ValueError, KeyError, Refused) as error_:
            self.desk.check(False, f"cleos {name}: {error_} {output[:300]}")
            return
        self.desk.report.count(self.desk.kind).accepted += 1
        self.signed += [(answer["transaction_id"], trace["block_num"])] * keys

    def settle(self):
        """Waits until every pushed transaction is in a block."""
        for identifier, first in self.signed:
            self.desk.node.wait_until_found(identifier, first)

    def records(self):
        """The records of signatures in the vault's log."""
        lines = map(json.loads, self.command("log export").splitlines())
        return [each for each in lines if each["event"] == "signed"]

    def check_records(self, requester=True):
        """The log has exactly one record for each signature, with its requester."""
        records = self.records()
        wanted = [identifier for identifier, _ in self.signed]
        found = [each["transaction_id"] for each in records]
        self.desk.equal(sorted(found), sorted(wanted), "the transactions in the log")
        for each in records if requester else []:
            source = each.get("requester") or {}
            self.desk.equal(source.get("uid"), os.getuid(), "the user of the requester")
            self.desk.check(source.get("program"), f"the requester of {each}")
        try:
            self.command("log verify")
            self.command("check")
        except Declined as error:
            self.desk.check(False, f"the vault: {error}")


def transfers(payer, *payees, most=None):
    """A rule: transfers of EOS from an account to others, each at most `most`."""
    fields = {"/to": {"one_of": list(payees)}}
    if most:
        fields["/quantity"] = {"max": most}
    return rule("eosio.token", "transfer", payer, fields=fields)


def rule(contract, name, actor, **more):
    """A rule for one action that `actor@active` authorizes."""
    return {"contract": contract, "action": name, "authorization": [f"{actor}@active"], **more}
