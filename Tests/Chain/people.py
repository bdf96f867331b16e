"""The participants: three vaults, their keys, and the accounts that these keys control."""

import boot
from programs import RigError
from vaults import Key, Vault

FUNDS = "1000000.0000 EOS"
STAKE = "1000.0000 EOS"


class People:
    """Vaults, keys by label, and the account `bank` that creates the others."""

    def __init__(self, desk):
        self.desk = desk
        self.vaults = [Vault(desk.programs, name) for name in ("first", "second", "third")]
        self.keys = {}
        self._imported("bank", 0)
        self._bank()

    def __getitem__(self, label):
        return self.keys[label]

    def populate(self):
        """Keys for all accounts: some never leave their vault, keosd has copies of the others."""
        for label in ("alice", "bob", "carol", "dave", "rosa", "ron"):
            self._imported(label, 0)
        for label in ("vera", "victor"):
            self.keys[label] = self.vaults[0].create(label)
        self.keys["rita"] = self.vaults[0].create("rita", "R1")
        for label, curve in (("tom", "K1"), ("tara", "R1")):
            self.keys[label] = self.vaults[2].create_in_token(label, curve)
        for place, label in enumerate(("seat1", "seat2", "seat3")):
            self._imported(label, place)
        self._imported("ruby", 1, r1=True)
        # Only keosd has this key.
        pair = self.desk.cleos.new_key(r1=True)
        self.desk.cleos.take_key(pair)
        self.keys["seat4"] = Key(None, "seat4", *pair)
        self.keys["system"] = self.vaults[1].take("system", self.desk.chain.key)

    def _imported(self, label, place, r1=False):
        pair = self.desk.cleos.new_key(r1=r1)
        self.desk.cleos.take_key(pair)
        self.keys[label] = self.vaults[place].take(label, pair)
        return self.keys[label]

    def _bank(self):
        """The first account, made and paid by eosio with keosd's signature."""
        cleos, key = self.desk.cleos, self.keys["bank"].public
        stake = ["--stake-net", STAKE, "--stake-cpu", STAKE, "--buy-ram-kbytes", "100000"]
        cleos.run("system", "newaccount", "eosio", "bank", key, key, *stake)
        cleos.run("transfer", "eosio", "bank", "100000000.0000 EOS", "")
        if self.desk.node.balance("bank") != 10**12:
            raise RigError("the account bank has no money")

    def multisig(self, threshold, *labels):
        """An authority of which `threshold` of the keys satisfy it, in the order of the chain."""
        codec = self.desk.codec
        keys = [self.keys[label].public for label in labels]
        keys.sort(key=lambda key: codec.pack("key", key))
        weighted = [{"key": key, "weight": 1} for key in keys]
        return boot.sole_key("") | {"threshold": threshold, "keys": weighted}
