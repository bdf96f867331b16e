"""Transactions that the chain must refuse, each with nodeos's own error."""

import datetime

import boot
from vaults import Declined

UNSATISFIED = ("unsatisfied_authorization", 3090003)
OTHER_CHAIN = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"


def changed(desk, people):
    """Flips single bits of a valid transaction; only the original is accepted."""
    before = desk.node.balance("bob")
    memo = "to be changed"
    good = desk.sign(_transfer(desk, memo), people["alice"], output="packed").packed
    data = bytes.fromhex(good["packed_trx"])
    # The packed transfer ends with payer, payee, quantity, memo and an empty list of extensions.
    end = len(data) - 1
    places = {"memo": end - 3, "amount": end - len(memo) - 1 - 16, "payee": end - len(memo) - 18}
    for what, place in places.items():
        copy = good | {"packed_trx": _flipped(data, place).hex()}
        desk.refused(copy, *UNSATISFIED, f"a bit of the {what}")
    copy = good | {"packed_trx": _flipped(data, 6).hex()}
    desk.refused(copy, "invalid_ref_block_exception", 3040007, "a bit of the reference block")
    signature = desk.codec.pack("sig", good["signatures"][0])
    # A type byte, the recovery byte, 32 bytes of r, 32 of s: the last bit of s, and one inside it.
    for place in (65, 50):
        copy = good | {"signatures": [desk.codec.text("sig", _flipped(signature, place))]}
        desk.refused(copy, *UNSATISFIED, "a bit of the signature's s")
    copy = good | {"signatures": good["signatures"] * 2}
    desk.refused(copy, "tx_duplicate_sig", 3090001, "a signature twice")
    desk.refused(good | {"signatures": []}, *UNSATISFIED, "no signature")
    copy = good | {"packed_context_free_data": "0101ff"}
    desk.refused(copy, *UNSATISFIED, "context-free data that was not signed")
    desk.node.push(good)
    desk.refused(good, "tx_duplicate", 3040008, "a transaction pushed twice")
    desk.node.wait_for_blocks(1)
    desk.equal(desk.node.balance("bob") - before, 1, "the amount that bob received in total")


def _transfer(desk, memo):
    return desk.prepare("transfer", "alice", "bob", "0.0001 EOS", memo)


def _flipped(data, place):
    """The bytes with the lowest bit of one changed."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def wrong_signers(desk, people):
    """Signatures by keys of other accounts, too few or too many keys, and another chain's id."""
    before = desk.node.balance("bob")
    for label in ("bob", "ron", "victor"):
        signed = desk.sign(_transfer(desk, f"by {label}"), people[label])
        desk.refused(signed.packed, *UNSATISFIED, f"alice's transfer signed by {label}")
    signed = desk.sign(_transfer(desk, "one more"), people["alice"], people["bob"])
    desk.refused(signed.packed, "tx_irrelevant_sig", 3090002, "one key more than needed")
    spend = ["transfer", "council", "bob", "0.0001 EOS"]
    signed = desk.sign(desk.prepare(*spend, "one of three"), people["seat1"])
    desk.refused(signed.packed, *UNSATISFIED, "one of two keys")
    seats = [people[seat] for seat in ("seat1", "seat2", "seat3")]
    signed = desk.sign(desk.prepare(*spend, "three of three"), *seats)
    desk.refused(signed.packed, "tx_irrelevant_sig", 3090002, "three keys where two suffice")
    for key in (people["alice"], people["rosa"]):
        words = ["transfer", key.label, "bob", "0.0001 EOS", "elsewhere"]
        packed = desk.pack(desk.prepare(*words))
        vault = key.vault
        lines = vault.sign(desk.file(packed), OTHER_CHAIN, [key.label], "signatures")
        copy = packed | {"signatures": lines.split()}
        desk.refused(copy, *UNSATISFIED, f"{key.label}'s signature for another chain")
    words = ["transfer", "bob", "alice", "0.0001 EOS", "not linked", "-p", "bob@paying"]
    signed = desk.sign(desk.prepare(*words), people["bob"])
    desk.refused(signed.packed, *UNSATISFIED, "the key of another permission")
    desk.node.wait_for_blocks(1)
    desk.equal(desk.node.balance("bob"), before, "bob's balance")


def wrong_headers(desk, people):
    """Expired, too far ahead, or with a reference to a block of another chain."""
    key = people["alice"]
    now = desk.node.info()["head_block_time"]
    for seconds, name, code in (
        (-60, "expired_tx_exception", 3040005),
        (7200, "tx_exp_too_far_exception", 3040006),
    ):
        header = {"expiration": _later(now, seconds)}
        signed = desk.sign(_transfer(desk, f"{seconds} s") | header, key)
        desk.refused(signed.packed, name, code, f"an expiration {seconds} s from now")
    signed = desk.sign(_transfer(desk, "elsewhere") | {"ref_block_prefix": 12345}, key)
    desk.refused(signed.packed, "invalid_ref_block_exception", 3040007, "another reference block")


def _later(time, seconds):
    then = datetime.datetime.fromisoformat(time) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%S")


def declined(desk, people):
    """Refusals by eosvault itself: a missing ABI, and a danger that no option allows."""
    key = people["alice"]
    auth = boot.sole_key(key.public)
    data = {"account": "alice", "permission": "active", "parent": "owner", "auth": auth}
    file = desk.file(desk.build([boot.action("eosio", "updateauth", "alice", data)]))
    try:
        key.vault.sign(file, desk.node.chain_id, [key.label], "json", allowing=False)
        desk.check(False, "eosvault signs a change of a permission without a confirmation")
    except Declined as error:
        good = "the transaction is dangerous: active-change of alice" in str(error)
        desk.check(good, f"the error of eosvault is {error}")
    transaction = _transfer(desk, "unknown contract")
    transaction["actions"][0]["account"] = "nobody"
    try:
        desk.sign(transaction, people["alice"], given="json", compare=False)
        desk.check(False, "eosvault signs an action without an ABI")
    except Declined as error:
        desk.check("no ABI for nobody is known" in str(error), f"the error of eosvault is {error}")
