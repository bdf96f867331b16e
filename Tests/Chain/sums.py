"""Random transactions: the totals of eosvault's review against sums that are computed here.

usage: sums.py EOSVAULT [COUNT [SEED]]

COUNT is the number of random transactions, 10000 if omitted. They are packed in groups, because
starting a process for each one takes too long: each process reviews one transaction, which contains
the others of its group as proposals and wrapped calls, at up to three levels. A transaction has
transfers of several tokens, stakes and purchases of RAM.

Each review is checked twice: its totals are compared with the sums of the actions that were
generated, and its JSON data is packed to the same bytes by packing.py.
"""

import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import packing

GROUP = 40
RESOURCES = pathlib.Path(__file__).parents[2] / "Sources/Antelope/Transactions/Resources"
ABI = RESOURCES / "eosio_token_abi.json"
# (contract, decimals, code): the chain's own tokens, tokens with the same code, and others. The
# contract `goldtoken` has no built-in ABI.
TOKENS = [
    ("eosio.token", 4, "EOS"),
    ("core.vaulta", 4, "A"),
    ("eosio.token", 4, "A"),
    ("goldtoken", 4, "EOS"),
    ("goldtoken", 2, "GOLD"),
    ("goldtoken", 0, "COIN"),
    ("goldtoken", 18, "DEEP"),
]
ACCOUNTS = ["alice", "bob", "carol", "eosio", "zzzzzzzzzzzz", "a.b.c", "goldtoken", "bob1"]
AMOUNTS = [1, 9, 10000, 123456789, 2**62 - 1]
# Payments of the transaction itself: (inner, if_approved).
DIRECT = (False, False)
MEMOS = ["", "hello", "Grüße", "two\nlines", "x" * 200, '"quoted" \\']


class Generator:
    """Makes random transactions, and adds up what they pay."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        # {(kind, contract, payer, recipient, symbol, inner, if_approved, memo): [amount, count]}
        self.sums = collections.defaultdict(lambda: [0, 0])
        self.count = 0

    def group(self, size):
        """A transaction that contains others; together they are `size` transactions."""
        self.sums.clear()
        self.count = 0
        actions = self._payments(DIRECT)
        while self.count < size - 1:
            actions += [self._nested(1, False)] + self._payments(DIRECT)
        self.count += 1
        self.random.shuffle(actions)
        return self._transaction(actions)

    def _transaction(self, actions):
        return {
            "expiration": f"2026-12-01T00:{self.random.randrange(60):02d}:00",
            "ref_block_num": self.random.randrange(65536),
            "ref_block_prefix": self.random.randrange(2**32),
            "max_net_usage_words": self.random.choice([0, 0, 200]),
            "max_cpu_usage_ms": self.random.choice([0, 0, 5]),
            "delay_sec": self.random.choice([0, 0, 300]),
            "context_free_actions": [],
            "actions": actions,
            "transaction_extensions": [],
        }

    def _nested(self, depth, if_approved):
        """A proposal, or a call through eosio.wrap. All in a proposal waits for its approvals."""
        self.count += 1
        is_call = self.random.random() < 0.3
        if_approved = if_approved or not is_call
        actions = self._payments((True, if_approved))
        if depth < 3 and self.random.random() < 0.3:
            actions.append(self._nested(depth + 1, if_approved))
        self.random.shuffle(actions)
        inner = self._transaction(actions)
        for each in inner["actions"]:
            if not isinstance(each["data"], str):
                each["data"] = packing.data(each["name"], each["data"]).hex()
        who = self.random.choice(ACCOUNTS)
        if is_call:
            return _action("eosio.wrap", "exec", who, {"executer": who, "trx": inner})
        requested = [{"actor": each, "permission": "active"} for each in self._accounts(2)]
        data = {"proposer": who, "proposal_name": "payday", "requested": requested, "trx": inner}
        return _action("eosio.msig", "propose", who, data)

    def _accounts(self, most):
        return self.random.sample(ACCOUNTS, self.random.randrange(most + 1))

    def _payments(self, runs):
        return [self._payment(runs) for _ in range(self.random.randrange(4))]

    def _payment(self, runs):
        payer, recipient = self.random.choice(ACCOUNTS), self.random.choice(ACCOUNTS)
        chosen = self.random.random()
        if chosen < 0.7:
            contract, decimals, code = self.random.choice(TOKENS)
            memo = self.random.choice(MEMOS)
            token = (contract, decimals, code, payer, recipient, runs)
            quantity = self._amount("transfer", *token, memo)
            data = {"from": payer, "to": recipient, "quantity": quantity, "memo": memo}
            return _action(contract, "transfer", payer, data)
        # The contract takes the payments of the system contract, and keeps all balances.
        token = ("eosio.token", 4, "EOS", payer, recipient, runs)
        if chosen < 0.85:
            data = {"payer": payer, "receiver": recipient, "quant": self._amount("buy-ram", *token)}
            return _action("eosio", "buyram", payer, data)
        net, cpu = self._amount("stake", *token), self._amount("stake", *token)
        data = {"from": payer, "receiver": recipient, "stake_net_quantity": net}
        data |= {"stake_cpu_quantity": cpu, "transfer": False}
        return _action("eosio", "delegatebw", payer, data)

    # pylint: disable-next=too-many-arguments,too-many-positional-arguments
    def _amount(self, kind, contract, decimals, code, payer, recipient, runs, memo=""):
        """A random amount, which is added to its sum. `runs` is when: (inner, if_approved)."""
        amount = self.random.choice(AMOUNTS)
        # The review has the beginning of a long memo.
        shown = memo if len(memo.encode()) <= 48 else memo[:32] + "..."
        total = self.sums[kind, contract, payer, recipient, f"{decimals},{code}", *runs, shown]
        total[0] += amount
        total[1] += 1
        digits = str(amount).rjust(decimals + 1, "0")
        whole, part = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
        return (f"{whole}.{part}" if decimals else whole) + f" {code}"


def _action(contract, name, actor, data):
    level = {"actor": actor, "permission": "active"}
    return {"account": contract, "name": name, "authorization": [level], "data": data}


def totals(review):
    """The totals of a review, in the form of `Generator.sums`."""
    members = ("kind", "contract", "payer", "recipient", "symbol", "inner", "if_approved")
    return {
        (*(each[member] for member in members), each.get("memo", "")): [
            int(each["amount"]),
            each["count"],
        ]
        for each in review["summary"]["payments"]
    }


def differences(review, generator, packed):
    """What a review shows wrongly, as text."""
    found = []
    if totals(review) != dict(generator.sums):
        found.append(f"the totals are {totals(review)}, expected {dict(generator.sums)}")
    if len(totals(review)) != len(review["summary"]["payments"]):
        found.append("a total occurs twice")
    if packing.transaction(review) != packed:
        found.append("the data of the review packs to other bytes")
    return found


def random_sums(desk, people):
    """120 random transactions in groups. As a program, this file makes more, without a chain."""
    del people
    generator = Generator(13)
    for _ in range(3):
        packed = packing.transaction(generator.group(GROUP))
        review = desk.inspect(desk.file(packed.hex(), "hex"), ["--abi", f"goldtoken={ABI}"])
        desk.equal(differences(review, generator, packed), [], "the differences of a review")


def main(eosvault, count=10000, seed=13):
    """The whole run; returns the exit status."""
    generator = Generator(int(seed))
    made = groups = payments = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "transaction.hex"
        words = [eosvault, "inspect", file, "--chain", "eos", "--json", "--abi", f"goldtoken={ABI}"]
        while made < int(count):
            packed = packing.transaction(generator.group(GROUP))
            file.write_text(packed.hex(), encoding="utf-8")
            output = subprocess.run(words, check=True, capture_output=True).stdout
            for text in differences(json.loads(output), generator, packed):
                failed += 1
                print(f"FAIL  group {groups}: {text}", file=sys.stderr)
            made += generator.count
            groups += 1
            payments += sum(each for _, each in generator.sums.values())
    print(f"{made} transactions with {payments} payments in {groups} groups, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
