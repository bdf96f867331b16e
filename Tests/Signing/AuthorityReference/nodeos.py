"""The rules of nodeos for authorities, from its sources: AntelopeIO/spring, libraries/chain,
include/eosio/chain/authority.hpp (`validate`), include/eosio/chain/authority_checker.hpp, and
authorization_manager.cpp (`check_authorization`).

An authority is a dictionary as in the ABI: threshold, keys, accounts, waits.
"""

MAX_DEPTH = 6
MAX_DELAY = 45 * 86400
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
NULL_KEY = "EOS1111111111111111111111111111111114T1Anm"


def packed_key(text):
    """The type and the point of a public key, which decide its place in an authority."""
    kinds = {"EOS": 0, "PUB_K1_": 0, "PUB_R1_": 1}
    prefix = next(prefix for prefix in kinds if text.startswith(prefix))
    number = 0
    for letter in text[len(prefix):]:
        number = number * 58 + ALPHABET.index(letter)
    return bytes([kinds[prefix]]) + number.to_bytes(37, "big")[:33]


def name_value(text):
    """The 64-bit value of a name."""
    value = 0
    for place in range(13):
        letter = text[place] if place < len(text) else "."
        symbol = ".12345abcdefghijklmnopqrstuvwxyz".index(letter)
        value |= (symbol & 0x1F) << (64 - 5 * (place + 1)) if place < 12 else symbol & 0x0F
    return value


def level_text(account):
    """`ACCOUNT@PERMISSION` of an element of `accounts`."""
    return f"{account['permission']['actor']}@{account['permission']['permission']}"


def level_order(text):
    """The place of a permission level in an authority."""
    return tuple(name_value(part) for part in text.split("@"))


def is_ordered(authority):
    """True if the parts are in ascending order, each once, and no wait is 0."""
    lists = [
        [packed_key(part["key"]) for part in authority["keys"]],
        [level_order(level_text(part)) for part in authority["accounts"]],
        [part["wait_sec"] for part in authority["waits"]],
    ]
    if lists[2] and lists[2][0] == 0:
        return False
    return all(one < next_one for parts in lists for one, next_one in zip(parts, parts[1:]))


def validate(authority):
    """True if updateauth and newaccount accept the authority."""
    parts = authority["keys"] + authority["accounts"] + authority["waits"]
    if len(parts) > 1 << 16 or authority["threshold"] == 0 or not is_ordered(authority):
        return False
    return sum(part["weight"] for part in parts) >= authority["threshold"]


class Checker:
    """Which permissions some keys satisfy, with some delay of the transaction in seconds.

    `permissions` has the authority of each permission level. `provided` lists levels that count as
    satisfied, such as eosio.code of the contract that sends the action.
    """

    def __init__(self, permissions, keys, delay, provided=()):
        self.permissions = permissions
        self.keys = frozenset(keys)
        self.delay = float("inf") if delay >= MAX_DELAY else delay
        self.known = {level: True for level in provided}

    def satisfies(self, level):
        """True if the keys, the delay and the provided levels satisfy the permission."""
        return self._permission(level, 1, 0) > 0

    def _permission(self, level, weight, depth):
        if level in self.known:
            # None while it is evaluated: a permission does not count for itself.
            return weight if self.known[level] else 0
        if depth >= MAX_DEPTH or level not in self.permissions:
            return 0
        self.known[level] = None
        self.known[level] = self._authority(self.permissions[level], depth + 1)
        return weight if self.known[level] else 0

    def _authority(self, authority, depth):
        parts = [(part["weight"], 2, part) for part in authority["waits"]]
        parts += [(part["weight"], 1, part) for part in authority["keys"]]
        parts += [(part["weight"], 0, part) for part in authority["accounts"]]
        total = 0
        for weight, kind, part in sorted(parts, key=lambda each: each[:2], reverse=True):
            if kind == 2:
                total += weight if self.delay >= part["wait_sec"] else 0
            elif kind == 1:
                total += weight if part["key"] in self.keys else 0
            else:
                total += self._permission(level_text(part), weight, depth)
            if total >= authority["threshold"]:
                return True
        return False
