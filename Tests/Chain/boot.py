"""Boots a chain like the public ones: protocol features, system contracts, the core token.

keosd signs all of this. The tests with eosvault start afterwards.
"""

import json

from programs import RigError, wait_until

SYSTEM_ACCOUNTS = (
    "eosio.bpay eosio.msig eosio.names eosio.ram eosio.ramfee eosio.saving "
    "eosio.stake eosio.token eosio.vpay eosio.rex eosio.wrap"
).split()
PREACTIVATE = "PREACTIVATE_FEATURE"
SUPPLY = "10000000000.0000 EOS"
ISSUED = "1000000000.0000 EOS"


class Boot:
    """The steps from an empty chain to one with the system contracts; `key` is eosio's."""

    def __init__(self, node, cleos, key):
        self.node = node
        self.cleos = cleos
        self.key = key

    def run(self):
        """All steps, in order."""
        features = self._features()
        digest = features.pop(PREACTIVATE)
        body = {"protocol_features_to_activate": [digest]}
        self.node.call("producer/schedule_protocol_feature_activations", body)
        wait_until(lambda: digest in self._active(), PREACTIVATE)
        self._contract("eosio", "eosio.bios")
        self._do(
            "the protocol features",
            [
                action("eosio", "activate", "eosio", {"feature_digest": feature})
                for feature in features.values()
            ],
        )
        wait_until(lambda: set(features.values()) <= self._active(), "the protocol features")
        self._do("the system accounts", [self._newaccount(name) for name in SYSTEM_ACCOUNTS])
        for account in ("eosio.token", "eosio.msig", "eosio.wrap"):
            self._contract(account, account)
        self._token()
        self._contract("eosio", "eosio.system")
        init = {"version": 0, "core": "4,EOS"}
        privileges = [
            action("eosio", "setpriv", "eosio", {"account": account, "is_priv": 1})
            for account in ("eosio.msig", "eosio.wrap")
        ]
        self._do("the system contract", [action("eosio", "init", "eosio", init)] + privileges)

    def _features(self):
        """The digests of the protocol features that nodeos supports, by their names."""
        answer = self.node.call("producer/get_supported_protocol_features", {})
        return {each["specification"][0]["value"]: each["feature_digest"] for each in answer}

    def _active(self):
        answer = self.node.call("chain/get_activated_protocol_features", {"limit": 1000})
        return {each["feature_digest"] for each in answer["activated_protocol_features"]}

    def _newaccount(self, name):
        authority = sole_key(self.key[0])
        data = {"creator": "eosio", "name": name, "owner": authority, "active": authority}
        return action("eosio", "newaccount", "eosio", data)

    def _token(self):
        create = {"issuer": "eosio", "maximum_supply": SUPPLY}
        issue = {"to": "eosio", "quantity": ISSUED, "memo": ""}
        self._do(
            "the core token",
            [
                action("eosio.token", "create", "eosio.token", create),
                action("eosio.token", "issue", "eosio", issue),
            ],
        )

    def _contract(self, account, name):
        """Sets code and ABI, then compares the code with the chain's hash of it."""
        folder = self.cleos.programs.contracts / name
        output, error = self.cleos.run(
            "set", "contract", account, folder, f"{name}.wasm", f"{name}.abi", "-j"
        )
        self._judge(f"the contract {name}", output, error)

    def _do(self, what, actions):
        transaction = json.dumps({"actions": actions})
        output, error = self.cleos.run("push", "transaction", transaction, "-j")
        self._judge(what, output, error)

    def _judge(self, what, output, error):
        """Waits until the transaction that cleos pushed is in a block."""
        try:
            answer = json.loads(output)
            identifier, first = answer["transaction_id"], answer["processed"]["block_num"]
        except (ValueError, KeyError):
            raise RigError(f"{what}: {output}{error}") from None
        wait_until(lambda: self.node.find(identifier, first), what)


def action(account, name, actor, data):
    """An action that `actor@active` authorizes, with data as JSON."""
    authorization = [{"actor": actor, "permission": "active"}]
    return {"account": account, "name": name, "authorization": authorization, "data": data}


def sole_key(key):
    """An authority that one key satisfies."""
    weighted = [{"key": key, "weight": 1}]
    return {"threshold": 1, "keys": weighted, "accounts": [], "waits": []}
