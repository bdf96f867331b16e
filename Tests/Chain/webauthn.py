"""A WebAuthn device in software: signs like a browser with a security key.

P-256 in plain integers, for tests with throw-away keys only: it is not constant-time.
"""

import base64
import dataclasses
import hashlib
import json
import secrets

# The curve P-256 (FIPS 186-4, D.1.2.3): the field's prime, the order, the base point; a is -3.
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def _add(first, second):
    """The sum of two points; None is the point at infinity."""
    if first is None or second is None:
        return first or second
    if first[0] == second[0]:
        if (first[1] + second[1]) % P == 0:
            return None
        slope = (3 * first[0] * first[0] - 3) * pow(2 * first[1], -1, P)
    else:
        slope = (second[1] - first[1]) * pow(second[0] - first[0], -1, P)
    x = (slope * slope - first[0] - second[0]) % P
    return x, (slope * (first[0] - x) - first[1]) % P


def _multiply(scalar, point):
    total = None
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _prefixed(data):
    """Bytes after their length, a varuint32."""
    length, prefix = len(data), b""
    while length >= 0x80:
        prefix += bytes([length & 0x7F | 0x80])
        length >>= 7
    return prefix + bytes([length]) + data


@dataclasses.dataclass
class Device:
    """One key for one origin. `presence` is 1 for a touch, 2 for a verified user."""

    origin: str
    presence: int

    def __post_init__(self):
        self.secret = secrets.randbelow(N - 1) + 1
        self.point = _multiply(self.secret, G)

    @property
    def party(self):
        """The relying party: the origin without its scheme and port."""
        return self.origin.split("//", 1)[1].rsplit(":", 1)[0]

    def key(self):
        """The public key's bytes, with the type byte."""
        x, y = self.point
        body = bytes([2 + (y & 1)]) + x.to_bytes(32, "big") + bytes([self.presence])
        return b"\x02" + body + _prefixed(self.party.encode())

    def sign(self, digest, *, kind="webauthn.get", party=None, origin=None, flags=None):
        """The bytes of a signature of a digest; the options make the signature invalid."""
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        client = {"type": kind, "challenge": challenge, "origin": origin or self.origin}
        text = json.dumps(client | {"crossOrigin": False}, separators=(",", ":")).encode()
        party = hashlib.sha256((party or self.party).encode()).digest()
        flags = {1: 1, 2: 5}[self.presence] if flags is None else flags
        data = party + bytes([flags]) + (1).to_bytes(4, "big")
        compact = self._ecdsa(hashlib.sha256(data + hashlib.sha256(text).digest()).digest())
        return b"\x02" + compact + _prefixed(data) + _prefixed(text)

    def _ecdsa(self, digest):
        """The recovery byte, r and s of a signature with a random nonce and a low s."""
        while True:
            nonce = secrets.randbelow(N - 1) + 1
            x, y = _multiply(nonce, G)
            if not 0 < x < N:
                continue
            s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + x * self.secret) % N
            recovery = y & 1
            if s > N // 2:
                s, recovery = N - s, recovery ^ 1
            if s:
                return bytes([31 + recovery]) + x.to_bytes(32, "big") + s.to_bytes(32, "big")
