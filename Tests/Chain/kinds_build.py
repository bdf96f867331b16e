"""Transactions that eosvault builds: the same as those of cleos, and accepted by the chain."""

import json

import vaults
from kinds_accounts import STRANGERS

# A WebAuthn key that is in no vault.
WEBAUTHN = "PUB_WA_8GpfcLNtogpfw3yC4ZsMfJ5cPe5ug2eWPXsHK5iSCkbXiexfJGwCfEnShyHbPFHLe"
K1, R1 = STRANGERS["K1"], STRANGERS["R1"]
LEVEL = {"actor": "bob", "permission": "active"}
BOB = {
    "threshold": 1,
    "keys": [],
    "accounts": [{"permission": LEVEL, "weight": 1}],
    "waits": [],
}

# 0.5 % and 1.5 % in units of 10^-15. cleos takes no percentages here.
POWERUP = {
    "payer": "alice",
    "receiver": "bob",
    "days": 1,
    "net_frac": 5_000_000_000_000,
    "cpu_frac": 15_000_000_000_000,
    "max_payment": "0.1000 EOS",
}

# The words of cleos, and those of `eosvault build`.
PAIRS = [
    (
        ["transfer", "alice", "bob", "1.0000 EOS", "invoice 7"],
        ["transfer", "alice", "bob", "1.0000 EOS", "invoice 7"],
    ),
    (
        ["transfer", "alice", "bob", "0.0001 EOS", "", "-p", "alice@owner"],
        ["transfer", "alice", "bob", "0.0001 EOS", "-p", "alice@owner"],
    ),
    (
        ["transfer", "alice", "bob", "461168601842738.7903 EOS", "ü€😀"],
        ["transfer", "alice", "bob", "461168601842738.7903 EOS", "ü€😀"],
    ),
    (
        ["system", "buyram", "alice", "bob", "2.0000 EOS"],
        ["buyram", "alice", "bob", "2.0000 EOS"],
    ),
    (
        ["system", "buyram", "alice", "bob", "4096", "--bytes"],
        ["buyrambytes", "alice", "bob", "4096"],
    ),
    (
        ["system", "delegatebw", "alice", "bob", "0.5000 EOS", "1.5000 EOS"],
        ["delegatebw", "alice", "bob", "0.5000 EOS", "1.5000 EOS"],
    ),
    (
        ["system", "delegatebw", "alice", "bob", "0.0000 EOS", "1.5000 EOS", "--transfer"],
        ["delegatebw", "alice", "bob", "0.0000 EOS", "1.5000 EOS", "--transfer"],
    ),
    (
        ["system", "undelegatebw", "alice", "bob", "0.5000 EOS", "0.0000 EOS"],
        ["undelegatebw", "alice", "bob", "0.5000 EOS", "0.0000 EOS"],
    ),
    (
        ["system", "voteproducer", "prods", "alice", "bob", "carol"],
        ["voteproducer", "alice", "carol", "bob"],
    ),
    (
        ["system", "voteproducer", "proxy", "alice", "carol"],
        ["voteproducer", "alice", "--proxy", "carol"],
    ),
    (["system", "claimrewards", "bob"], ["claimrewards", "bob"]),
    (
        ["create", "account", "alice", "newcomer1234", K1, R1],
        ["newaccount", "alice", "newcomer1234", K1, R1],
    ),
    (
        ["create", "account", "alice", "newcomer1234", K1, "bob@active"],
        ["newaccount", "alice", "newcomer1234", K1, "bob@active"],
    ),
    (
        ["set", "account", "permission", "alice", "active", K1, "owner", "-p", "alice@owner"],
        ["updateauth", "alice", "active", K1, "-p", "alice@owner"],
    ),
    (
        ["set", "account", "permission", "alice", "owner", R1, "-p", "alice@owner"],
        ["updateauth", "alice", "owner", R1],
    ),
    (
        ["set", "account", "permission", "alice", "trading", json.dumps(BOB), "active"],
        ["updateauth", "alice", "trading", "bob@active"],
    ),
    (
        ["set", "action", "permission", "alice", "eosio", "claimrewards", "trading"],
        ["linkauth", "alice", "eosio", "claimrewards", "trading"],
    ),
    (
        ["system", "regproducer", "bob", K1, "https://bob.example", "276"],
        ["regproducer", "bob", K1, "https://bob.example", "276"],
    ),
    (["system", "regproducer", "bob", R1], ["regproducer", "bob", R1]),
    (["system", "unregprod", "bob"], ["unregprod", "bob"]),
    (["system", "regproxy", "alice"], ["regproxy", "alice"]),
    (["system", "unregproxy", "alice"], ["unregproxy", "alice"]),
    (
        ["push", "action", "eosio", "powerup", json.dumps(POWERUP), "-p", "alice"],
        ["powerup", "alice", "bob", "1", "0.5%", "1.5%", "0.1000 EOS"],
    ),
    (
        ["multisig", "unapprove", "alice", "payday", json.dumps(LEVEL), "-p", "bob"],
        ["msig-unapprove", "alice", "payday", "bob@active"],
    ),
    (
        ["multisig", "cancel", "alice", "payday", "carol"],
        ["msig-cancel", "alice", "payday", "carol"],
    ),
    (
        ["multisig", "exec", "alice", "payday", "carol"],
        ["msig-exec", "alice", "payday", "carol"],
    ),
    (
        ["push", "action", "eosio", "refund", '{"owner": "alice"}', "-p", "alice"],
        ["action", "eosio", "refund", '{"owner": "alice"}', "-p", "alice"],
    ),
]


def same_as_cleos(desk, _people):
    """27 transactions, each equal to the one that cleos makes."""
    for cleos, build in PAIRS:
        theirs, ours = pair(desk, cleos, build)
        desk.equal(ours, theirs, f"the transaction of {' '.join(build)}")


def pair(desk, cleos, build):
    """The same transaction, made by cleos and by eosvault."""
    block = desk.node.info()["last_irreversible_block_id"]
    theirs = desk.prepare(*cleos, "-r", block)
    ours = _build(desk, *build, "--block-id", block, "--expires", theirs["expiration"])
    return theirs, ours


def _build(desk, *words, separate=()):
    """A transaction of eosvault, without the name of its chain."""
    token = ["--token-contract", "eosio.token"] if _has_amount(words) else []
    text = vaults.eosvault(
        desk.programs, "build", *words, *token, "--chain", desk.node.chain_id, *separate
    )
    transaction = json.loads(text)
    desk.equal(transaction.pop("chain_id"), desk.node.chain_id, "the chain of a new transaction")
    return transaction


def _has_amount(words):
    """Whether an action has an amount. The chain's tokens are not known to eosvault."""
    return any(str(word).endswith(" EOS") for word in words)


def accepted(desk, people):
    """New transactions that the chain accepts: payments, authorities in its order, proposals."""
    info = desk.file(desk.node.info())
    alice = people["alice"]

    def send(*words, key=alice, separate=()):
        made = _build(desk, *words, "--block", info, separate=separate)
        return desk.send(made, key)

    further = ["--then", "buyrambytes", "alice", "bob", "4096"]
    send("transfer", "alice", "bob", "1.0000 EOS", "two actions", separate=further)
    send("delegatebw", "alice", "bob", "0.5000 EOS", "1.5000 EOS")
    _sorted_authority(desk, people, send)
    _proposal(desk, people, send)
    desk.settle()


def _sorted_authority(desk, people, send):
    """nodeos refuses an authority whose parts are not in its order."""
    keys = [people[label].public for label in ("bob", "carol", "dave", "rosa", "ron", "vera")]
    keys += [R1, people["seat4"].public, WEBAUTHN, K1]
    names = ("eosio", "carol", "bob", "twelvechars1")
    accounts = [
        {"permission": {"actor": name, "permission": level}, "weight": 2}
        for name in names
        for level in ("owner", "active", "eosio.code")
    ]
    waits = [{"wait_sec": seconds, "weight": 1} for seconds in (3600, 1, 86400, 60)]
    authority = {
        "threshold": 3,
        "keys": [{"key": key, "weight": 1} for key in keys],
        "accounts": accounts,
        "waits": waits,
    }
    send("updateauth", "alice", "sorted", json.dumps(authority))
    desk.settle()
    found = [
        each["required_auth"]
        for each in desk.node.account("alice")["permissions"]
        if each["perm_name"] == "sorted"
    ]
    if desk.check(found, "alice@sorted exists"):
        for part in ("keys", "accounts", "waits"):
            desk.equal(len(found[0][part]), len(authority[part]), f"the {part} of alice@sorted")
    # The replaced authority is read from the chain's answer, with all its members.
    answer = desk.file(desk.node.account("alice"))
    send("updateauth", "alice", "sorted", K1, "--authority", answer)


def _proposal(desk, people, send):
    """A proposed payment: its hash is computed from the stored row, and the chain accepts it."""
    before = desk.node.balance("carol")
    words = ["transfer", "bob", "carol", "0.7000 EOS", "--no-block", "--expires", "1h"]
    inner = desk.file(_build(desk, *words))
    send("msig-propose", "alice", "built", inner, "bob@active")
    desk.settle()
    query = {"code": "eosio.msig", "scope": "alice", "table": "proposal", "json": True}
    rows = desk.file(desk.node.call("chain/get_table_rows", query))
    words = ["msig-approve", "alice", "built", "bob@active"]
    for proposal in (rows, inner):
        ours = _build(desk, *words, "--proposal", proposal, "--no-block")
        hashes = ours["actions"][0]["data"][-64:]
        desk.equal(hashes, _hash(desk, inner), "the hash in an approval")
    send(*words, "--proposal", rows, key=people["bob"])
    desk.settle()
    _approved(desk, rows, query)
    send("msig-exec", "alice", "built", "alice")
    desk.settle()
    desk.received("carol", before, 7000)


def _approved(desk, rows, query):
    """The chain's row of the approvals, and its answer about the account, are read."""
    approvals = desk.node.call("chain/get_table_rows", {**query, "table": "approvals2"})
    approvals, bob = desk.file(approvals), desk.file(desk.node.account("bob"))
    options = ["--approvals", approvals, "--authority", bob, "--json"]
    status = json.loads(vaults.eosvault(desk.programs, "msig", "status", rows, *options))
    desk.equal([each["permission"] for each in status["approved"]], ["bob@active"], "the approvals")
    desk.equal((status["missing"], status["executable"]), ([], True), "the status of the proposal")


def _hash(desk, file):
    """The id of the transaction in a file is the hash of its bytes."""
    return vaults.identifier(desk.programs, file)
