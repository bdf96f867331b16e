"""Accounts and their permissions: newaccount, updateauth, linkauth, multisig."""

import json

from boot import action, sole_key
from people import FUNDS, STAKE

# Keys of each type that are in no vault.
STRANGERS = {
    "K1": "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
    "R1": "PUB_R1_6FPFZqw5ahYrR9jD96yDbbDNTdKtNqRbze6oTDLntrsANgQKZu",
}


def newaccount(desk, people):
    """22 accounts with RAM and bandwidth: keys of both curves, several keys, other accounts."""
    names = ("alice", "bob", "carol", "dave", "rosa", "ron")
    owners = {name: people[name].public for name in names}
    names = ("vera", "victor", "rita", "ruby", "tom", "tara")
    owners |= {name: people[name].public for name in names}
    owners["pair"] = json.dumps(people.multisig(3, "rita", "ruby", "victor"))
    owners |= {"coin": people["vera"].public, "shop": people["alice"].public}
    owners["forms"] = people["alice"].public
    two = people.multisig(2, "seat1", "seat2", "seat3")
    three = people.multisig(3, "seat1", "seat2", "seat3")
    mixed = people.multisig(2, "seat1", "seat4", "seat2")
    owners |= {"council": json.dumps(two), "board": json.dumps(three), "mixed": json.dumps(mixed)}
    owners |= {"twelvechars1": people["bob"].public, "branch.bank": STRANGERS["R1"]}
    accounts = [
        {"permission": {"actor": name, "permission": "active"}, "weight": 1}
        for name in ("alice", "bob")
    ]
    owners["joint"] = json.dumps({"threshold": 2, "keys": [], "accounts": accounts, "waits": []})
    for name, owner in owners.items():
        # Only eosio makes short names without an auction.
        creator, key = ("eosio", people["system"]) if len(name) < 11 else ("bank", people["bank"])
        words = ["system", "newaccount", creator, name, owner, owner, "--buy-ram-kbytes", 2000]
        words += ["--stake-net", STAKE, "--stake-cpu", STAKE, "--transfer"]
        desk.send(desk.prepare(*words), key)
    desk.settle()
    for name, owner in owners.items():
        _check_authority(desk, name, "active", owner)
    paid = [desk.prepare("transfer", "bank", name, FUNDS, "") for name in owners]
    for transaction in paid:
        desk.send(transaction, people["bank"])
    desk.settle()
    for name in owners:
        desk.equal(desk.node.balance(name), 10**10, f"the balance of {name}")


def _authority(desk, account, name):
    """A permission of an account, or None."""
    for permission in desk.node.account(account)["permissions"]:
        if permission["perm_name"] == name:
            return permission
    return None


def _check_authority(desk, account, name, expected):
    """Compares a permission with an authority, or with the key of an authority."""
    found = _authority(desk, account, name)
    if not desk.check(found, f"{account}@{name} exists"):
        return
    authority = json.loads(expected) if expected.startswith("{") else sole_key(expected)
    keys = [(_canonical(key["key"]), key["weight"]) for key in found["required_auth"]["keys"]]
    wanted = [(_canonical(key["key"]), key["weight"]) for key in authority["keys"]]
    for part in ("threshold", "accounts", "waits"):
        desk.equal(found["required_auth"][part], authority[part], f"{account}@{name}'s {part}")
    desk.equal(keys, wanted, f"{account}@{name}'s keys")


def _canonical(key):
    """Both forms of a K1 key have the same point; their checksums differ."""
    for prefix in ("PUB_K1_", "EOS"):
        if key.startswith(prefix):
            return key[len(prefix):-6]
    return key


def updateauth(desk, people):
    """14 changes of permissions; 4 of them remove a permission."""
    alice = people["alice"]
    authorities = {
        "first": people["bob"].public,
        "second": people["rosa"].public,
        "third": json.dumps(people.multisig(1, "seat1", "seat2")),
        "fourth": json.dumps(people.multisig(3, "seat1", "seat2", "seat3", "seat4")),
        "fifth": json.dumps(_waiting(people["carol"].public, 3600)),
        "sixth": STRANGERS["R1"],
        "seventh": json.dumps(_accounts("bob@active", "carol@owner")),
    }
    for name, authority in authorities.items():
        words = ["set", "account", "permission", "alice", name, authority, "active"]
        desk.send(desk.prepare(*words, "-p", "alice@active"), alice)
    words = ["set", "account", "permission", "alice", "child", STRANGERS["K1"], "first"]
    desk.settle()
    desk.send(desk.prepare(*words, "-p", "alice@active"), alice)
    words = ["set", "account", "permission", "dave", "owner", people["carol"].public]
    desk.send(desk.prepare(*words, "-p", "dave@owner"), people["dave"])
    words = ["set", "account", "permission", "alice", "second", people["ron"].public, "active"]
    desk.send(desk.prepare(*words, "-p", "alice@active"), alice)
    desk.settle()
    _check_authority(desk, "dave", "owner", people["carol"].public)
    for name, authority in (authorities | {"second": people["ron"].public}).items():
        _check_authority(desk, "alice", name, authority)
    desk.equal(_authority(desk, "alice", "child")["parent"], "first", "the child's parent")
    for name in ("sixth", "seventh", "child", "first"):
        words = ["set", "account", "permission", "alice", name, "NULL"]
        desk.send(desk.prepare(*words, "-p", "alice@active"), alice)
    desk.settle()
    for name in ("sixth", "seventh", "child", "first"):
        desk.equal(_authority(desk, "alice", name), None, f"the removed permission {name}")


def _waiting(key, seconds):
    waits = [{"wait_sec": seconds, "weight": 1}]
    return sole_key(key) | {"threshold": 2, "waits": waits}


def _accounts(*levels):
    accounts = []
    for level in levels:
        actor, permission = level.split("@")
        accounts.append({"permission": {"actor": actor, "permission": permission}, "weight": 1})
    return {"threshold": 1, "keys": [], "accounts": accounts, "waits": []}


def linkauth(desk, people):
    """A permission linked only to transfers: 4 links, 3 transfers with its key, 1 unlink."""
    words = ["set", "account", "permission", "bob", "paying", people["ron"].public, "active"]
    desk.send(desk.prepare(*words, "-p", "bob@active"), people["bob"])
    desk.settle()
    for contract, name in (("eosio.token", "transfer"), ("coin", "transfer"), ("eosio", "buyram")):
        words = ["set", "action", "permission", "bob", contract, name, "paying"]
        desk.send(desk.prepare(*words), people["bob"])
    words = ["set", "action", "permission", "bob", "eosio.msig", "approve", "paying"]
    desk.send(desk.prepare(*words), people["bob"])
    desk.settle()
    desk.equal(_links(desk), {"transfer", "buyram", "approve"}, "what is linked")
    before = desk.node.balance("carol")
    for number in range(3):
        words = ["transfer", "bob", "carol", "0.0100 EOS", f"{number}", "-p", "bob@paying"]
        desk.send(desk.prepare(*words), people["ron"])
    desk.settle()
    desk.equal(desk.node.balance("carol") - before, 300, "the amount that carol received")
    words = ["set", "action", "permission", "bob", "eosio.msig", "approve", "NULL"]
    desk.send(desk.prepare(*words), people["bob"])
    desk.settle()
    desk.equal(_links(desk), {"transfer", "buyram"}, "the remaining links")


def _links(desk):
    permission = _authority(desk, "bob", "paying")
    return {link["action"] for link in permission["linked_actions"]}


def multisig(desk, people):
    """16 transfers of accounts with several keys: the file goes from vault to vault."""
    before = {name: desk.node.balance(name) for name in ("council", "board", "mixed")}
    pairs = [("seat1", "seat2"), ("seat2", "seat3"), ("seat3", "seat1")]
    for number in range(6):
        _spend(desk, people, "council", pairs[number % 3], number)
    for number in range(6):
        order = ["seat1", "seat2", "seat3"]
        _spend(desk, people, "board", order[number % 3:] + order[:number % 3], number)
    for number in range(4):
        _spend_mixed(desk, people, number)
    desk.settle()
    for name, units in (("council", 75), ("board", 75), ("mixed", 46)):
        desk.equal(before[name] - desk.node.balance(name), units, f"what {name} paid")
    for number in range(2):
        data = {"from": "joint", "to": "bob", "quantity": "0.0010 EOS", "memo": f"{number}"}
        transaction = desk.build([action("eosio.token", "transfer", "joint", data)])
        desk.send(transaction, people["alice"], people["bob"])
    desk.settle()


def _spend(desk, people, account, seats, number):
    words = ["transfer", account, "bob", f"0.{10 + number:04d} EOS", f"{account} {number}"]
    desk.send(desk.prepare(*words), *(people[seat] for seat in seats))


def _spend_mixed(desk, people, number):
    """A K1 key in a vault and an R1 key of keosd; keosd signs first, and eosvault adds its own."""
    words = ["transfer", "mixed", "bob", f"0.{10 + number:04d} EOS", f"{number}"]
    transaction = desk.prepare(*words)
    words = ["sign", desk.file(transaction), "--public-key", people["seat4"].public]
    signed = desk.cleos.json(*words, "-c", desk.node.chain_id)
    seat = people[f"seat{number % 2 + 1}"]
    sent = desk.send(signed, seat, given=("json", "packed")[number % 2])
    if sent:
        kept = signed["signatures"][0] in sent.packed["signatures"]
        desk.check(kept, "keosd's R1 signature is missing")
        recovered = desk.cleos.recovered(desk.file(sent.packed), desk.node.chain_id)
        desk.equal(len(recovered), 2, f"the keys that cleos recovers: {recovered}")


# No one has a private key for the all-zero point.
NOBODY = "EOS1111111111111111111111111111111114T1Anm"


def given_up(desk, people):
    """A disabled permission: its only key is the all-zero point, which the chain accepts."""
    for number, name in enumerate(("gone", "gone2")):
        key = NOBODY if number == 0 else json.dumps(_beside(desk, people["bob"].public))
        words = ["set", "account", "permission", "alice", name, key, "active", "-p", "alice@active"]
        transaction = desk.prepare(*words)
        seen = json.dumps(desk.inspect(desk.file(transaction)))
        desk.check("null-key" in seen, "the review warns of the all-zero key")
        desk.send(transaction, people["alice"])
    desk.settle()
    _check_authority(desk, "alice", "gone", NOBODY)
    _check_authority(desk, "alice", "gone2", json.dumps(_beside(desk, people["bob"].public)))


def _beside(desk, key):
    """An authority with the all-zero key and another key."""
    keys = sorted((NOBODY, key), key=lambda each: desk.codec.pack("key", each))
    return sole_key("") | {"keys": [{"key": each, "weight": 1} for each in keys]}
