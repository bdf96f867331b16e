"""Contracts: setcode and setabi, proposals of eosio.msig, calls through eosio.wrap."""

import hashlib
import json

import vaults
from boot import action

LEVELS = [{"actor": name, "permission": "active"} for name in ("alice", "bob", "rosa")]


def contracts(desk, people):
    """9 changes of code and ABI, with and without compression; compares the chain's hashes."""
    folder = desk.programs.contracts
    _set(desk, people["vera"], "set", "contract", "coin", folder / "eosio.token",
         "eosio.token.wasm", "eosio.token.abi")
    _judge(desk, "coin", "eosio.token")
    for name in ("eosio.bios", "eosio.msig"):
        words = ["set", "contract", "shop", folder / name, f"{name}.wasm", f"{name}.abi"]
        both = desk.prepare(*words)
        # `cleos set code` and `set abi` don't work in this build: its actions are sent one by one.
        for each in both["actions"]:
            desk.send(both | {"actions": [each]}, people["alice"])
        desk.settle()
        _judge(desk, "shop", name)
    for compression in ("none", "zlib"):
        name = "eosio.wrap" if compression == "none" else "eosio.bios"
        words = ["set", "contract", "shop", folder / name, f"{name}.wasm", f"{name}.abi"]
        _set(desk, people["alice"], *words, "--compression", compression, "--return-packed")
        _judge(desk, "shop", name)
    for what in ("code", "abi"):
        words = ["set", what, "shop", "--clear"]
        _set(desk, people["alice"], *words)
    answer = desk.node.call("chain/get_code_hash", {"account_name": "shop"})
    desk.equal(answer["code_hash"], "0" * 64, "the hash of removed code")
    answer = desk.node.call("chain/get_raw_abi", {"account_name": "shop"})
    desk.equal(answer["abi"], "", "the removed ABI")


def _set(desk, key, *words):
    desk.send(desk.prepare(*words), key)
    desk.settle()


def _judge(desk, account, name):
    """Compares the chain's hashes of code and ABI with those of the files from eosvault."""
    code, _ = desk.programs.contract(name)
    answer = desk.node.call("chain/get_raw_abi", {"account_name": account})
    desk.equal(answer["code_hash"], hashlib.sha256(code).hexdigest(), f"the code hash of {name}")
    words = ["abi", "convert", desk.file(answer), "--format", "sha256"]
    ours = vaults.eosvault(desk.programs, *words).strip()
    desk.equal(ours, answer["abi_hash"], f"the ABI hash of {name}")


def proposals(desk, people):
    """5 proposals: 10 approvals (5 with the hash), 1 taken back, 4 executed, 1 cancelled."""
    before = desk.node.balance("carol")
    for number in range(5):
        _propose(desk, people, f"payday{number + 1}", number)
    desk.settle()
    _other_hash(desk, people, "payday1")
    for number in range(5):
        _approve(desk, people, f"payday{number + 1}")
    words = ["multisig", "unapprove", "bob", "payday5", json.dumps(LEVELS[0])]
    desk.send(desk.prepare(*words, "-p", "alice@active"), people["alice"])
    desk.settle()
    desk.equal(_approved(desk, "payday5"), ["rosa"], "who approves still")
    for number in range(4):
        words = ["multisig", "exec", "bob", f"payday{number + 1}", "bob"]
        desk.send(desk.prepare(*words), people["bob"])
    desk.send(desk.prepare("multisig", "cancel", "bob", "payday5", "bob"), people["bob"])
    desk.settle()
    desk.received("carol", before, 46)
    desk.equal(desk.node.rows("eosio.msig", "bob", "proposal"), [], "the proposals left")


def _propose(desk, people, name, number):
    """Proposes a transfer that needs two accounts, with the whole transaction of another cleos."""
    actions = [
        action("eosio.token", "transfer", payer,
               {"from": payer, "to": "carol", "quantity": f"0.00{units:02d} EOS", "memo": name})
        for payer, units in (("alice", number), ("rosa", 10))
        if units
    ]
    inner = desk.build(actions)
    levels = json.dumps([LEVELS[0], LEVELS[2]])
    words = ["multisig", "propose_trx", name, levels, desk.file(inner), "bob"]
    signed = desk.send(desk.prepare(*words), people["bob"])
    if signed:
        packed = desk.pack(inner)["packed_trx"]
        desk.settle()
        rows = desk.node.rows("eosio.msig", "bob", "proposal", lower_bound=name, upper_bound=name)
        desk.equal([row["packed_transaction"] for row in rows], [packed], "the proposal")


def _approve(desk, people, name):
    """Two approvals; the chain accepts the one with a hash only if the hash is that of its row."""
    rows = desk.node.rows("eosio.msig", "bob", "proposal", lower_bound=name, upper_bound=name)
    row = desk.file(rows[0])
    inner = vaults.eosvault(desk.programs, "msig", "hash", row).strip()
    theirs = hashlib.sha256(bytes.fromhex(rows[0]["packed_transaction"])).hexdigest()
    desk.equal(inner, theirs, f"the hash of {name}")
    for level, more in ((LEVELS[0], [inner]), (LEVELS[2], [])):
        words = ["multisig", "approve", "bob", name, json.dumps(level), *more]
        words += ["-p", f"{level['actor']}@active"]
        transaction = desk.prepare(*words)
        seen = desk.inspect(desk.file(transaction), ["--proposal", row])["actions"][0]
        # Without a hash, the contract accepts any proposal of this name, so none is shown.
        desk.equal(seen.get("inner", {}).get("hash"), (more + [None])[0], "the proposal shown")
        desk.send(transaction, people[level["actor"]])
    desk.settle()
    desk.equal(_approved(desk, name), ["alice", "rosa"], f"who approves {name}")


def _other_hash(desk, people, name):
    """The chain refuses an approval with the hash of another proposal."""
    words = ["multisig", "approve", "bob", name, json.dumps(LEVELS[0]), "11" * 32]
    signed = desk.sign(desk.prepare(*words, "-p", "alice@active"), people["alice"], output="packed")
    desk.refused(signed.packed, "crypto_api_exception", 3230001, "another hash")


def _approved(desk, name):
    rows = desk.node.rows("eosio.msig", "bob", "approvals2", lower_bound=name, upper_bound=name)
    return sorted(each["level"]["actor"] for row in rows for each in row["provided_approvals"])


def wrapped(desk, people):
    """5 transactions that the producers execute with eosio.wrap."""
    before = desk.node.balance("carol")
    for number in range(5):
        data = {"from": "dave", "to": "carol", "quantity": "0.0100 EOS", "memo": f"{number}"}
        inner = desk.build([action("eosio.token", "transfer", "dave", data)])
        words = ["wrap", "exec", "bob", desk.file(inner), "-p", "bob@active", "-p"]
        transaction = desk.prepare(*words, "eosio.wrap@active")
        desk.send(transaction, people["bob"], people["system"])
        # eosio.wrap names a call by executer and block time: each one needs its own block.
        desk.settle()
        desk.node.wait_for_blocks(1)
    desk.received("carol", before, 500)
