"""Transfers that R1 keys of a vault sign: one that cleos made, and one that eosvault made. And
transfers of keys that are in the tokens of SoftHSM."""

import itertools
import json

COUNT = 36
# For each curve: about half of the first signatures of a K1 key are not canonical.
TOKEN_COUNT = 1000


def r1_keys(desk, people):
    """36 transfers by R1 keys, alone and with a K1 key; 40 more by a batch."""
    given = itertools.cycle(("json", "packed", "decoded", "hex"))
    output = itertools.cycle(("json", "packed", "signatures"))
    signers = {"rita": ("rita",), "ruby": ("ruby",), "pair": ("rita", "victor", "ruby")}
    before = {name: desk.node.balance(name) for name in signers}
    for number, name in zip(range(COUNT), itertools.cycle(signers)):
        transaction = desk.prepare("transfer", name, "bob", "0.0001 EOS", f"R1 {number}")
        keys = [people[label] for label in signers[name]]
        sent = desk.send(transaction, *keys, given=next(given), output=next(output))
        if sent:
            _check_signers(desk, sent, keys)
    desk.settle()
    for name in signers:
        paid = before[name] - desk.node.balance(name)
        desk.equal(paid, COUNT // len(signers), f"the amount that {name} paid")
    _batch(desk, people["ruby"])


def _check_signers(desk, sent, keys):
    """cleos recovers the keys that signed."""
    unpacked = desk.cleos.json("convert", "unpack_transaction", desk.file(sent.packed))
    recovered = desk.cleos.recovered(desk.file(unpacked), desk.node.chain_id)
    expected = sorted(key.public for key in keys)
    desk.equal(sorted(recovered), expected, "the keys that cleos recovers")


def _batch(desk, key):
    """`sign --lines`, and each line is pushed."""
    words = ("transfer", "ruby", "bob", "0.0001 EOS")
    made = [desk.prepare(*words, f"R1 line {number}") for number in range(40)]
    before = desk.node.balance("ruby")
    file = desk.file("".join(json.dumps(each) + "\n" for each in made))
    for packed in key.vault.sign_lines(file, desk.node.chain_id, key.label):
        desk.node.push(packed)
        desk.report.count(desk.kind).accepted += 1
    desk.equal(before - desk.node.balance("ruby"), 40, "the amount that the batch paid")


def token_keys(desk, people):
    """1000 transfers for each curve, signed in a token: the chain accepts each."""
    for label in ("tom", "tara"):
        key = people[label]
        before = desk.node.balance(label)
        made = desk.prepare("transfer", label, "bob", "0.0001 EOS", _memo(0))
        lines = [json.dumps(_with_memo(made, number)) for number in range(TOKEN_COUNT)]
        signed = key.vault.sign_lines(desk.file("\n".join(lines) + "\n"), desk.node.chain_id, label)
        for packed in signed:
            desk.node.push(packed)
            desk.report.count(desk.kind).accepted += 1
        desk.settle()
        paid = before - desk.node.balance(label)
        desk.equal(paid, TOKEN_COUNT, f"the amount that {label} paid")
    both = desk.build([_transfer("tom"), _transfer("tara")])
    sent = desk.send(both, people["tom"], people["tara"])
    _check_signers(desk, sent, [people["tom"], people["tara"]])


def _memo(number):
    return f"token {number:06d}"


def _with_memo(transaction, number):
    """The same transaction with another memo: cleos would need a second for 30 of them."""
    text = json.dumps(transaction)
    return json.loads(text.replace(_memo(0).encode().hex(), _memo(number).encode().hex()))


def _transfer(sender):
    data = {"from": sender, "to": "bob", "quantity": "0.0001 EOS", "memo": "both tokens"}
    return {
        "account": "eosio.token", "name": "transfer", "data": data,
        "authorization": [{"actor": sender, "permission": "active"}],
    }
