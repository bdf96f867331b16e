"""Accounts with WebAuthn keys and keys in vaults, and eosvault's review of their signatures."""

import json

from boot import sole_key
from desk import digest
from people import STAKE
from webauthn import Device

UNSATISFIED = ("unsatisfied_authorization", 3090003)
# fc's FC_ASSERT in libfc's elliptic_webauthn.cpp.
ASSERTION = ("assert_exception", 10)
ORIGINS = ("https://example.com", "https://keys.example.org:8443", "https://a.b.c.example.net")


def webauthn(desk, people):
    """An account with a vault's key and a device: 9 accepted, 6 refused by both programs."""
    devices = [Device(origin, 1 + number % 2) for number, origin in enumerate(ORIGINS)]
    _account(desk, people, devices)
    before = desk.node.balance("device")
    for number in range(9):
        device = devices[number % 3]
        transaction = _transfer(desk, f"by {device.origin} {number}")
        _add(desk, transaction, device)
        _seen(desk, transaction, device, True)
        given = ("json", "packed", "decoded")[number // 3]
        desk.send(transaction, people["seat2"], given=given)
    desk.settle()
    desk.equal(before - desk.node.balance("device"), 9, "the amount that the account paid")
    for what, (options, error) in _wrong(devices[0]).items():
        transaction = _transfer(desk, what)
        _add(desk, transaction, devices[0], **options)
        _seen(desk, transaction, devices[0], False)
        signed = desk.sign(transaction, people["seat2"], given="json")
        desk.refused(signed.packed, *error, what)


def _wrong(device):
    """Options for invalid signatures, and the chain's error."""
    return {
        "another challenge": ({"digest": bytes(32)}, ASSERTION),
        "another type": ({"kind": "webauthn.create"}, ASSERTION),
        "another relying party": ({"party": "example.org"}, ASSERTION),
        "no https": ({"origin": f"http://{device.party}"}, ASSERTION),
        "no user presence": ({"flags": 0}, UNSATISFIED),
        "a verified user": ({"flags": 4}, UNSATISFIED),
    }


def _account(desk, people, devices):
    """Creates the account `device`: the key of a seat, and any of the devices."""
    keys = sorted([device.key() for device in devices])
    weighted = [{"key": people["seat2"].public, "weight": 2}]
    weighted += [{"key": desk.codec.text("key", key), "weight": 1} for key in keys]
    authority = json.dumps(sole_key("") | {"threshold": 3, "keys": weighted})
    words = ["system", "newaccount", "eosio", "device", authority, authority]
    words += ["--buy-ram-kbytes", 100, "--stake-net", STAKE, "--stake-cpu", STAKE]
    desk.send(desk.prepare(*words), people["system"])
    desk.settle()
    desk.send(desk.prepare("transfer", "bank", "device", "10.0000 EOS", ""), people["bank"])
    desk.settle()


def _transfer(desk, memo):
    return desk.prepare("transfer", "device", "bob", "0.0001 EOS", memo)


def _add(desk, transaction, device, **options):
    """Adds the device's signature."""
    signed = options.pop("digest", None)
    if signed is None:
        signed = bytes.fromhex(digest(desk.node.chain_id, desk.pack(transaction)))
    signature = desk.codec.text("sig", device.sign(signed, **options))
    transaction["signatures"] = [signature]


def _seen(desk, transaction, device, good):
    """Checks whether eosvault's review contains the device's key."""
    seen = desk.inspect(desk.file(transaction))
    key = desk.codec.text("key", device.key())
    desk.equal(key in json.dumps(seen), good, "the device's key in the review")
