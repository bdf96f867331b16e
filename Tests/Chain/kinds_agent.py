"""cleos that is not changed, with an agent instead of keosd: every command of its wallet."""

import json

import packing
from agent import TerminalAgent
from agent_desk import REFUSED, AgentDesk, rule, transfers

KEOSD_PATHS = {"create", "list_keys", "remove_key"}


def wallet(desk, people):
    """All commands of `cleos wallet`, in every state of the vault."""
    with AgentDesk(desk, people, "agent-wallet", ["alice"]) as place:
        _locked(desk, place)
        _keys(desk, people, place)
        _locks(desk, place)
        _raw(desk, place)
        _refused(desk, people, place)
        place.works("wallet", "stop", shows="OK")
        desk.equal(place.agent.ended(), 0, "the exit status of the agent after `wallet stop`")
        desk.check(not place.agent.socket.exists(), "the socket is removed")
        status, _, error = place.cleos.run("wallet", "list")
        desk.check(status == 1 and "is keosd running?" in error, f"cleos after the end: {error}")


def _pin(place):
    return place.vault.pin.read_text(encoding="utf-8").rstrip("\n")


def _listed(place):
    return json.loads(place.works("wallet", "list", shows="Wallets:").split(":", 1)[1])


def _locked(desk, place):
    """The vault is locked after the start; a wrong PIN changes nothing."""
    desk.equal(_listed(place), ["default"], "the wallets after the start")
    place.fails("wallet", "keys", code=3120003, shows="You don't have any unlocked wallet!")
    place.works("wallet", "open", shows="Opened: default")
    for wrong in ("another passphrase", "x"):
        place.fails("wallet", "unlock", "--password", wrong, code=3120005, shows="Invalid password")
        desk.equal(_listed(place), ["default"], "the wallets after a wrong PIN")
    place.fails("wallet", "unlock", "-n", "other", "--password", _pin(place), code=3120002,
                shows="Wallet not found: other")
    place.fails("wallet", "open", "-n", "a/b", code=REFUSED, shows="Invalid filename")
    place.fails("wallet", "create_key", code=3120003, shows="Wallet is locked: default")
    place.works("wallet", "unlock", "--password", _pin(place), shows="Unlocked: default")
    desk.equal(_listed(place), ["default *"], "the wallets after the unlock")
    place.fails("wallet", "unlock", "--password", _pin(place), code=3120007,
                shows="Wallet is already unlocked: default")


def _keys(desk, people, place):
    """Keys are listed, created and imported, and are then in the vault."""
    keys = json.loads(place.works("wallet", "keys"))
    desk.equal(keys, [people["alice"].public], "the keys")
    created = place.works("wallet", "create_key", shows="public key of").split('"')[1]
    pair = desk.cleos.new_key()
    words = ["wallet", "import", "--private-key", pair[1]]
    place.works(*words, shows=f"imported private key for: {pair[0]}")
    place.fails(*words, code=3120008, shows="Key already in wallet")
    other = place.works("wallet", "create_key", "R1", shows="public key of").split('"')[1]
    place.fails("wallet", "create_key", "K2", code=3120010, shows='Key type "K2" not supported')
    listed = json.loads(place.works("wallet", "keys"))
    expected = {people["alice"].public, created, other, pair[0]}
    desk.equal(set(listed), expected, "the keys after the changes")
    ordered = sorted(listed, key=lambda key: desk.codec.pack("key", key))
    desk.equal(listed, ordered, "the order of the keys")
    stored = json.loads(place.command("list", "--json"))["keys"]
    desk.equal({each["public_key"] for each in stored}, expected, "the keys in the vault")


def _locks(desk, place):
    """Each way to lock, and the unlock after it."""
    unlock = ["wallet", "unlock", "--password", _pin(place)]
    for words, shows in (
        (["lock"], "Locked: default"), (["lock_all"], "Locked All Wallets"),
        (["open"], "Opened: default"),
    ):
        place.works("wallet", *words, shows=shows)
        desk.equal(_listed(place), ["default"], f"the wallets after {words[0]}")
        place.fails("wallet", "keys", code=3120003, shows="")
        place.works("wallet", *words, shows=shows)
        place.works(*unlock, shows="Unlocked: default")
    # cleos reads the PIN from its standard input, as a user types it.
    place.works("wallet", "lock", shows="Locked: default")
    status, output, error = desk.programs.run(
        [*place.cleos.words, "wallet", "unlock"], stdin=_pin(place) + "\n")
    desk.check(status == 0 and "Unlocked: default" in output, f"unlock by standard input: {error}")


def _raw(desk, place):
    """The calls for which cleos has no command."""
    for timeout in ("1", "900", "60"):
        answer = place.agent.call("wallet/set_timeout", timeout)
        desk.equal(answer, (200, {}), f"set_timeout {timeout}")
    for timeout in ("0", "901", "-1", "1.5", str(2**63)):
        status, answer = place.agent.call("wallet/set_timeout", timeout)
        desk.equal((status, answer["error"]["code"]), (500, 3120011), f"set_timeout {timeout}")
    desk.equal(place.agent.status(), ["default *"], "the wallet after set_timeout")
    status, answer = place.agent.call("node/get_supported_apis")
    paths = {path.rpartition("/")[2] for path in answer["apis"]}
    desk.equal(status, 200, "the status of get_supported_apis")
    desk.check("sign_transaction" in paths and not paths & KEOSD_PATHS, f"the paths: {paths}")


def _refused(desk, people, place):
    """What the agent refuses in every state, with a right and a wrong PIN."""
    before = json.loads(place.works("wallet", "keys"))
    key = people["alice"].public
    for pin in (_pin(place), "wrong"):
        place.fails("wallet", "private_keys", "--password", pin, code=REFUSED,
                    shows="list_keys is refused: private keys do not leave eosvault-agent")
        place.fails("wallet", "remove_key", key, "--password", pin, code=REFUSED,
                    shows='remove_key is refused: remove a key with "eosvault remove"')
    for name in ("default", "other"):
        place.fails("wallet", "create", "-n", name, "--to-console", code=REFUSED,
                    shows='create is refused: make a vault with "eosvault init"')
    desk.equal(json.loads(place.works("wallet", "keys")), before, "the keys after the refusals")
    status, answer = place.agent.call("wallet/sign_digest", ["00" * 32, key])
    desk.equal((status, answer["error"]["code"]), (500, REFUSED), "sign_digest")


def signing(desk, people):
    """Transactions that policies allow: cleos pushes them, and the chain executes each."""
    with AgentDesk(desk, people, "agent-signing", ["alice", "bob", "seat1", "seat2"]) as place:
        nonce = {"contract": "eosio.null", "action": "nonce"}
        alice = transfers("alice", "bob", "carol", most="10.0000 EOS")
        place.limit(
            "alice", alice, transfers("bob", "carol"), rule("eosio", "buyram", "alice"), nonce,
            rule("eosio", "updateauth", "alice"), transaction={"context_free_actions": "rules"},
        )
        msig = [rule("eosio.msig", each, "bob") for each in ("propose", "cancel")]
        place.limit("bob", transfers("bob", "carol"), alice, *msig)
        for seat in ("seat1", "seat2"):
            place.limit(seat, transfers("council", "carol"))
        place.cleos.unlock()
        before = desk.node.balance("carol")
        for number in range(5):
            place.pushes("transfer", "alice", "carol", "0.0001 EOS", f"agent {number}")
        place.pushes("transfer", "alice", "carol", "0.0001 EOS", "nonce", "-f")
        data = json.dumps({"from": "bob", "to": "carol", "quantity": "0.0001 EOS", "memo": ""})
        place.pushes("push", "action", "eosio.token", "transfer", data, "-p", "bob@active")
        several = [_transfer(name, each) for each, name in enumerate(("alice", "bob"))]
        place.pushes("push", "transaction", json.dumps({"actions": several}), keys=2)
        place.pushes("transfer", "council", "carol", "0.0001 EOS", "two keys", keys=2)
        key = people["alice"].public
        place.pushes("transfer", "alice", "carol", "0.0001 EOS", "named key", "--sign-with", key)
        place.pushes("system", "buyram", "alice", "alice", "1.0000 EOS")
        key_of_bob = people["bob"].public
        words = ["set", "account", "permission", "alice", "eleventh", key_of_bob, "active"]
        place.pushes(*words, "-p", "alice@active")
        # Approval and execution are dangers: see `dangers`.
        place.pushes(*proposing("quiet", "bob"))
        place.pushes("multisig", "cancel", "bob", "quiet", "bob")
        _sign(desk, people, place)
        place.settle()
        desk.equal(desk.node.balance("carol") - before, 12, "the amount that carol received")
        place.check_records()


def proposing(name, account):
    """The command that proposes a transfer from an account to carol, which it must approve."""
    level = json.dumps([{"actor": account, "permission": "active"}])
    data = json.dumps({"from": account, "to": "carol", "quantity": "0.0001 EOS", "memo": name})
    return ["multisig", "propose", name, level, level, "eosio.token", "transfer", data, account]


def _transfer(payer, number):
    data = {"from": payer, "to": "carol", "quantity": "0.0001 EOS", "memo": f"of two {number}"}
    level = {"actor": payer, "permission": "active"}
    return {"account": "eosio.token", "name": "transfer", "authorization": [level], "data": data}


def _sign(desk, people, place):
    """`cleos sign`: its signature is keosd's, and a key that has signed adds nothing."""
    key = people["alice"].public
    file = desk.file(desk.prepare("transfer", "alice", "carol", "0.0001 EOS", "cleos sign"))
    words = ["--public-key", key, "-c", desk.node.chain_id]
    signed = json.loads(place.works("sign", file, *words))
    theirs = desk.cleos.signature(file, key, desk.node.chain_id)
    desk.equal(signed["signatures"], [theirs], "the signature of cleos sign")
    again = json.loads(place.works("sign", desk.file(signed), *words))
    desk.equal(again, signed, "a transaction that the key has signed")
    # cleos asks the wallet again for a signed transaction without `-s`.
    place.pushes("push", "transaction", desk.file(signed))


def refusals(desk, people):
    """What policies and the review refuse: cleos shows the reason, and nothing is signed."""
    with AgentDesk(desk, people, "agent-refusals", ["alice", "bob"]) as place:
        place.limit(
            "alice", transfers("alice", "bob", "carol", most="1.0000 EOS"),
            rule("eosio", "updateauth", "alice"), rule("coin", "transfer", "alice"),
            rule("eosio.msig", "exec", "alice"),
            limits=[{"name": "a day", "amount": "1.5000 EOS@eosio.token", "per": "24h"}],
        )
        transfer = ["transfer", "alice", "bob", "0.0001 EOS", ""]
        key = people["alice"].public
        place.fails(*transfer, "--sign-with", key, code=3120003, shows="Wallet is locked: default")
        place.cleos.unlock()
        words = ["transfer", "alice", "dave", "0.0001 EOS", ""]
        place.fails(*words, code=REFUSED, shows="`/to` is `dave`")
        place.fails("transfer", "alice", "bob", "2.0000 EOS", "", code=REFUSED, shows="/quantity")
        place.pushes("transfer", "alice", "bob", "1.0000 EOS", "the first of the day")
        place.fails("transfer", "alice", "bob", "0.6000 EOS", "", code=REFUSED, shows="a day")
        place.fails("transfer", "bob", "carol", "0.0001 EOS", "", code=REFUSED, shows="no policy")
        words = ["set", "account", "permission", "alice", "active", people["bob"].public, "owner"]
        place.fails(*words, "-p", "alice@active", code=REFUSED, shows="active-change")
        words = ["multisig", "exec", "alice", "nothing", "alice", "-p", "alice@active"]
        place.fails(*words, code=REFUSED, shows="unseen-execution")
        _blind(desk, place)
        place.fails(*transfer, "--sign-with", people["carol"].public, code=3120004,
                    shows="Public key not found in unlocked wallets")
        place.settle()
        place.check_records()


def _blind(desk, place):
    """Data that no known ABI decodes. The next request uses an ABI that a command has pinned."""
    data = packing.name("alice") + packing.name("bob") + packing.asset("0.01 COIN") + b"\0"
    action = {"account": "coin", "name": "transfer", "authorization": _BY_ALICE, "data": data.hex()}
    words = ["push", "transaction", json.dumps({"actions": [action]})]
    place.fails(*words, code=REFUSED, shows="no ABI for coin is known")
    _, abi = desk.programs.contract("eosio.token")
    words_of_pin = ["coin", desk.file(abi), "--chain", desk.node.chain_id]
    place.command("abi pin", *words_of_pin, "--second-file", place.second, "--yes")
    # The account has no code yet, so the chain does nothing with the action.
    place.pushes(*words)


_BY_ALICE = [{"actor": "alice", "permission": "active"}]


def dangers(desk, people):
    """A person at the terminal of the agent accepts what no policy accepts, dangers too."""
    who = ["bob", "dave"]
    with AgentDesk(desk, people, "agent-terminal", who, "terminal", TerminalAgent) as place:
        place.cleos.unlock()
        terminal = place.agent
        before = desk.node.balance("carol")
        place.pushes("transfer", "bob", "carol", "0.0001 EOS", "seen at the terminal")
        for text in ("0.0001 EOS", "seen at the terminal", "Request from"):
            desk.check(text in terminal.text, f"the terminal shows {text}: {terminal.text}")
        place.pushes(*proposing("seen", "bob"))
        terminal.answer = lambda question: "bob"
        level = json.dumps({"actor": "bob", "permission": "active"})
        place.pushes("multisig", "approve", "bob", "seen", level, "-p", "bob@active")
        place.pushes("multisig", "exec", "bob", "seen", "bob", "-p", "bob@active")
        desk.received("carol", before, 2)
        terminal.answer = lambda question: "dave"
        change = ["set", "account", "permission", "dave", "active", people["dave"].public, "owner"]
        place.pushes(*change, "-p", "dave@active")
        desk.equal(terminal.questions, 5, "the questions at the terminal")
        for answer in ("n", "bob", ""):
            terminal.answer = lambda question, answer=answer: answer
            words = ["transfer", "bob", "carol", "0.0001 EOS", f"not wanted {answer}"]
            place.fails(*words, code=REFUSED, shows="declined")
            place.fails(*change, "-p", "dave@active", "-f", code=REFUSED, shows="declined")
        place.settle()
        place.check_records()
