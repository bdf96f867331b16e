"""A transaction: cleos prepares it, eosvault signs it, the chain accepts or refuses it.

`Desk.send` checks each transaction: eosvault's id against the chain's, its digest against one
computed here, its K1 signature against keosd's, byte for byte. `Desk.settle` waits
until all sent transactions are in blocks with exactly these signatures.
"""

import dataclasses
import hashlib
import itertools
import json
import zlib

import vaults
from codec import Codec
from node import Refused
from programs import PATIENCE, RigError, wait_until
from vaults import Declined

# The input forms of a transaction for eosvault.
INPUTS = ("json", "decoded", "packed", "hex")
# The output forms of eosvault.
OUTPUTS = ("json", "packed", "signatures")


@dataclasses.dataclass
class Signed:
    """A signed transaction: packed JSON as the chain takes it, its id, and eosvault's text."""

    packed: dict
    identifier: str
    text: str
    output: str
    trace: dict = None

    def act(self, index=0):
        """The data of an action as the chain decoded it."""
        return self.trace["action_traces"][index]["act"]["data"]


class Desk:
    """Signs and sends; counts the checks in `report` under the kind `kind`."""

    def __init__(self, chain, report):
        self.chain = chain
        self.programs = chain.programs
        self.node = chain.node
        self.cleos = chain.cleos
        self.report = report
        self.codec = Codec(chain.cleos)
        self.kind = ""
        self._files = itertools.count()
        self._forms = itertools.cycle(itertools.product(OUTPUTS, INPUTS))
        self._seconds = itertools.count(1200)
        self._sent = []

    def check(self, good, text):
        """Counts one check of the current kind."""
        return self.report.check(self.kind, good, text)

    def equal(self, actual, expected, what):
        """Counts one comparison of the current kind."""
        return self.report.equal(self.kind, actual, expected, what)

    def file(self, text, suffix="json"):
        """A new file with a text."""
        path = self.programs.work / f"{next(self._files)}.{suffix}"
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return path

    def prepare(self, *words):
        """A transaction of cleos.

        Each expires later than the one before, as time passes too: so all ids differ. The chain
        takes at most 3600 seconds.
        """
        return self.cleos.prepare(*words, seconds=min(next(self._seconds), 3600))

    def build(self, actions, **header):
        """A transaction of any actions, with the header that cleos gives it."""
        return self.prepare("push", "transaction", json.dumps({"actions": actions})) | header

    def sign(self, transaction, *keys, given=None, output=None, more=(), blind=(), compare=True):
        """Signs with eosvault, one vault after the other; checks id, digest and signatures.

        `more` is given to each command, as --abi is; `blind` names actions to sign as bytes.
        """
        form = next(self._forms)
        output, given = output or form[0], given or form[1]
        packed = self.pack(transaction)
        if packed["packed_context_free_data"] and given == "hex":
            given = "packed"
        file = self._written(transaction, packed, given)
        unseen = [word for name in blind for word in ("--blind", name)]
        text, before = self._pass_on(file, keys, output, [*more, *unseen])
        signed = Signed(packed, identifier(packed), text, output)
        signed.packed = self._completed(packed, text, output, before)
        if compare:
            self._compare(file, packed, signed, keys, more)
        return signed

    def inspect(self, file, more=()):
        """eosvault's review of a file, as JSON."""
        return vaults.inspect(self.programs, file, self.node.chain_id, more)

    def pack(self, transaction):
        """Packed JSON, packed by cleos."""
        if "packed_trx" in transaction:
            return dict(transaction)
        return self.cleos.json("convert", "pack_transaction", self.file(transaction))

    def _written(self, transaction, packed, given):
        """A file with the transaction in the form `given`, a name or a function of both forms."""
        if callable(given):
            return self.file(given(transaction, packed))
        if given == "json" and "packed_trx" not in transaction:
            return self.file(transaction)
        if given == "packed" or packed["compression"] not in ("none", 0):
            return self.file(packed)
        if given == "hex":
            return self.file(packed["packed_trx"] + "\n", "hex")
        words = ["convert", "unpack_transaction", self.file(packed), "--unpack-action-data"]
        return self.file(self.cleos.json(*words))

    def _pass_on(self, file, keys, output, more):
        """The output of the last vault, and the signatures in its input file.

        Between two vaults the file is JSON as cleos writes it.
        """
        turns = [list(turn) for _, turn in itertools.groupby(keys, lambda key: key.vault)]
        before = None
        for turn in turns:
            last = turn is turns[-1]
            labels = [key.label for key in turn]
            form = output if last else "json"
            text = turn[0].vault.sign(file, self.node.chain_id, labels, form, more)
            if not last:
                before = json.loads(text)["signatures"]
                file = self.file(text)
        return text, before

    def _completed(self, packed, text, output, before):
        """Packed JSON with all signatures; eosvault's lines have only those it made."""
        if output == "packed":
            return json.loads(text)
        if output == "json":
            return self.pack(json.loads(text))
        before = packed["signatures"] if before is None else before
        return packed | {"signatures": before + text.split()}

    def _compare(self, file, packed, signed, keys, more):
        """Compares eosvault's id, digest and signatures with those of other programs."""
        ours = vaults.identifier(self.programs, file, more)
        self.equal(ours, signed.identifier, "the transaction id")
        ours = vaults.digest(self.programs, file, self.node.chain_id, more)
        self.equal(ours, digest(self.node.chain_id, packed), "the digest")
        for key in keys:
            if key.is_k1 and key.public in self.cleos.keys:
                theirs = self._cleos_signature(packed, key)
                good = theirs in signed.packed["signatures"]
                self.check(good, f"{theirs} of keosd is not among {signed.packed['signatures']}")

    def _cleos_signature(self, packed, key):
        unpacked = self.cleos.json("convert", "unpack_transaction", self.file(packed))
        return self.cleos.signature(self.file(unpacked), key.public, self.node.chain_id)

    def push(self, signed):
        """Pushes as a user would: JSON by cleos, packed JSON by HTTP. Raises Refused."""
        if signed.output == "json":
            words = ["push", "transaction", self.file(signed.text), "-s", "-j"]
            output, error = self.cleos.run(*words)
            try:
                answer = json.loads(output)
            except ValueError:
                raise Refused("cleos", 0, f"{output}{error}") from None
        else:
            answer = self.node.push(signed.packed)
        signed.trace = answer["processed"]
        if signed.trace.get("except"):
            # cleos ends with status 0 here: it asks for the trace of a failed transaction.
            failure = signed.trace["except"]
            raise Refused(failure["name"], failure["code"], failure["message"])
        return answer

    def send(self, transaction, *keys, **options):
        """Signs, pushes, and expects the chain to accept. Returns Signed, or None on failure."""
        try:
            signed = self.sign(transaction, *keys, **options)
            answer = self.push(signed)
        except (Refused, Declined, RigError) as error:
            self.check(False, f"not accepted: {error}")
            return None
        self.equal(answer["transaction_id"], signed.identifier, "the chain's transaction id")
        self.report.count(self.kind).accepted += 1
        self.expect(signed)
        return signed

    def expect(self, signed):
        """`settle` will look for this transaction in the blocks."""
        self._sent.append(signed)

    def _receipt(self, signed):
        """The receipt of a transaction in a block, or None so far."""
        return self.node.find(signed.identifier, signed.trace["block_num"])

    def forget(self):
        """Stops looking for transactions."""
        self._sent.clear()

    def settle(self, patience=PATIENCE):
        """Waits until all sent transactions are in blocks, and compares the signatures there."""
        try:
            wait_until(lambda: all(self._receipt(each) for each in self._sent), "blocks", patience)
        except RigError:
            pass
        for signed in self._sent:
            receipt = self._receipt(signed)
            if self.check(receipt, f"{signed.identifier} is in no block"):
                found = receipt["trx"]["signatures"]
                self.equal(found, signed.packed["signatures"], "the signatures in the block")
        self.forget()

    def received(self, account, before, amount):
        """Waits until deferred transactions have run, and compares what an account received.

        eosio.msig and eosio.wrap of this chain, and a delay, schedule a deferred transaction. It
        runs at some time after the transaction that schedules it.
        """
        try:
            wait_until(lambda: self.node.balance(account) >= before + amount, "the amount")
        except RigError:
            pass
        received = self.node.balance(account) - before
        self.equal(received, amount, f"the amount that {account} received")

    def refused(self, packed, name, code, what):
        """Pushes packed JSON that the chain must refuse with this error."""
        try:
            self.node.push(packed)
        except Refused as error:
            good = (error.name, error.code) == (name, code)
            if self.check(good, f"{what}: expected {name} ({code}), chain: {error}"):
                self.report.count(self.kind).refused += 1
            return
        self.check(False, f"{what}: the chain accepts it")


def _plain(packed):
    """The packed transaction's bytes, decompressed."""
    data = bytes.fromhex(packed["packed_trx"])
    return zlib.decompress(data) if packed["compression"] in ("zlib", 1) else data


def identifier(packed):
    """The transaction id of packed JSON."""
    return hashlib.sha256(_plain(packed)).hexdigest()


def digest(chain_id, packed):
    """SHA-256 of chain id, packed transaction and the hash of the context-free data."""
    free = bytes.fromhex(packed["packed_context_free_data"])
    if free and packed["compression"] in ("zlib", 1):
        free = zlib.decompress(free)
    # An empty list packs as one zero byte and counts as no data.
    tail = hashlib.sha256(free).digest() if free.strip(b"\0") else bytes(32)
    return hashlib.sha256(bytes.fromhex(chain_id) + _plain(packed) + tail).hexdigest()
