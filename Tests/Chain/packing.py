"""Packs transactions as nodeos does, without eosvault and cleos: an independent encoder.

Only what the tests of sums need: names, assets, strings, transfers and transactions.
"""

import datetime
import struct

_LETTERS = ".12345abcdefghijklmnopqrstuvwxyz"

# The fields of the actions that the tests of sums use. The tests know eosio.msig's `propose` and
# eosio.wrap's `exec` by their last field.
FIELDS = {
    "transfer": [("from", "name"), ("to", "name"), ("quantity", "asset"), ("memo", "string")],
    "buyram": [("payer", "name"), ("receiver", "name"), ("quant", "asset")],
    "delegatebw": [
        ("from", "name"),
        ("receiver", "name"),
        ("stake_net_quantity", "asset"),
        ("stake_cpu_quantity", "asset"),
        ("transfer", "bool"),
    ],
    "propose": [
        ("proposer", "name"),
        ("proposal_name", "name"),
        ("requested", "levels"),
        ("trx", "transaction"),
    ],
    "exec": [("executer", "name"), ("trx", "transaction")],
}


def name(text):
    """The 8 bytes of an account name: 12 letters of 5 bits, and 4 bits."""
    value = 0
    for place in range(12):
        letter = _LETTERS.index(text[place]) if place < len(text) else 0
        value |= letter << (64 - 5 * (place + 1))
    return struct.pack("<Q", value)


def varuint(number):
    """An unsigned LEB128 number."""
    result = b""
    while number > 0x7F:
        result += bytes([number & 0x7F | 0x80])
        number >>= 7
    return result + bytes([number])


def asset(text):
    """An amount such as `1.0000 EOS`."""
    number, code = text.split(" ")
    decimals = len(number.split(".")[1]) if "." in number else 0
    amount = int(number.replace(".", ""))
    return struct.pack("<qB", amount, decimals) + code.encode().ljust(7, b"\0")


def levels(several):
    """A list of permission levels."""
    pairs = [name(each["actor"]) + name(each["permission"]) for each in several]
    return varuint(len(pairs)) + b"".join(pairs)


def string(text):
    """A string with its length."""
    return varuint(len(text.encode())) + text.encode()


def data(action_name, fields):
    """The bytes of an action's data from its JSON."""
    packers = {
        "name": name,
        "asset": asset,
        "string": string,
        "bool": lambda value: bytes([int(value)]),
        "levels": levels,
        "transaction": transaction,
    }
    if list(fields) != [field for field, _ in FIELDS[action_name]]:
        raise ValueError(f"the fields of {action_name} are {list(fields)}")
    return b"".join(packers[kind](fields[field]) for field, kind in FIELDS[action_name])


def action(each):
    """An action from its JSON; its data is hex, or an object with the fields."""
    content = each["data"]
    packed = bytes.fromhex(content) if isinstance(content, str) else data(each["name"], content)
    head = name(each["account"]) + name(each["name"]) + levels(each["authorization"])
    return head + varuint(len(packed)) + packed


def transaction(json):
    """A transaction from its JSON."""
    expiration = datetime.datetime.fromisoformat(json["expiration"] + "+00:00")
    head = struct.pack(
        "<IHI", int(expiration.timestamp()), json["ref_block_num"], json["ref_block_prefix"]
    )
    head += varuint(json["max_net_usage_words"]) + bytes([json["max_cpu_usage_ms"]])
    head += varuint(json["delay_sec"])
    for several in (json["context_free_actions"], json["actions"]):
        head += varuint(len(several)) + b"".join(action(each) for each in several)
    if json["transaction_extensions"]:
        raise ValueError("the tests have no transaction extensions")
    return head + varuint(0)
