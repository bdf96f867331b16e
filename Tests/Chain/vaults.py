"""eosvault as a user runs it: vaults, their keys, and transactions in and out."""

import dataclasses
import json
import pathlib

from programs import RigError

# The lowest KDF cost, because the vault is not tested here.
KDF = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]


TOKEN_PIN = "654321"


def softhsm():
    """The module of SoftHSM, in the folder of this machine's processor."""
    return next(pathlib.Path("/usr/lib").glob("**/libsofthsm2.so"))


class Declined(Exception):
    """eosvault ended with an error; the text is its standard error."""


@dataclasses.dataclass(frozen=True)
class Key:
    """A key in a vault. `private` is None if the vault created the key and never exported it."""

    vault: "Vault"
    label: str
    public: str
    private: str = None

    @property
    def is_k1(self):
        """True for secp256k1, whose signatures are deterministic."""
        return self.public.startswith(("EOS", "PUB_K1_"))


class Vault:
    """A vault file, its PIN file, and the commands on them."""

    def __init__(self, programs, name):
        self.programs = programs
        self.path = programs.work / f"{name}.vault"
        self.pin = programs.work / f"{name}.pin"
        self.pin.touch(mode=0o600)
        self.pin.write_text(f"the passphrase of {name}\n", encoding="utf-8")
        self._token = []
        self.run("init", *KDF)

    def second_method(self):
        """A file with a policy PIN."""
        file = self.path.with_suffix(".second")
        file.touch(mode=0o600)
        file.write_text("the PIN of policies\n", encoding="utf-8")
        return file

    def run(self, *words):
        """Runs a command that must succeed; returns its standard output."""
        return eosvault(self.programs, *words, "--vault", self.path, "--pin-file", self.pin)

    def create(self, label, curve="K1"):
        """Creates a key in the vault."""
        return Key(self, label, self.run("create", "--label", label, "--curve", curve).strip())

    def create_in_token(self, label, curve):
        """Creates a key in a token of SoftHSM, which is made first."""
        folder = self.programs.work / "softhsm"
        folder.mkdir(exist_ok=True)
        configuration = folder / "softhsm2.conf"
        configuration.write_text(f"directories.tokendir = {folder}\n", encoding="utf-8")
        self.programs.environment["SOFTHSM2_CONF"] = str(configuration)
        pin = self.path.with_suffix(".token-pin")
        pin.touch(mode=0o600)
        pin.write_text(TOKEN_PIN, encoding="utf-8")
        words = ["softhsm2-util", "--init-token", "--free", "--label", label]
        status, _, error = self.programs.run([*words, "--so-pin", TOKEN_PIN, "--pin", TOKEN_PIN])
        if status != 0:
            raise RigError(f"softhsm2-util: {error}")
        self._token = ["--token-pin-file", pin]
        words = ["--token", f"pkcs11:token={label}", "--module", softhsm(), *self._token]
        words += ["--label", label, "--curve", curve]
        return Key(self, label, self.run("create", *words).strip())

    def take(self, label, pair):
        """Imports a key pair that another program created."""
        file = self.programs.work / f"{label}.key"
        file.touch(mode=0o600)
        file.write_text(pair[1] + "\n", encoding="utf-8")
        public = self.run("import", file, "--label", label).strip()
        if public != pair[0]:
            raise RigError(f"{label}: eosvault has {public}, and cleos has {pair[0]}")
        return Key(self, label, public, pair[1])

    def sign(self, file, chain_id, labels, output, more=(), allowing=True):
        """The output of `eosvault sign`. `output` is json, packed or signatures.

        With `allowing`, each danger that the review of the file lists is allowed.
        """
        words = [word for label in labels for word in ("--key", label)]
        if allowing:
            review = inspect(self.programs, file, chain_id, ["--vault", self.path, *more])
            allowed = [each["allow"] for each in review["warnings"] if "allow" in each]
            words += [word for each in allowed for word in ("--allow", each)]
        return self.run(
            "sign", file, "--chain", chain_id, *words, "--yes", "--format", output,
            *self._token, *more
        )

    def sign_lines(self, file, chain_id, label):
        """Packed JSON of each line of a file, signed in one batch."""
        words = ["--lines", file, "--chain", chain_id, "--key", label, "--yes"]
        words += ["--format", "packed", "--allow-action", "eosio.token::transfer", *self._token]
        return [json.loads(line)["packed"] for line in self.run("sign", *words).splitlines()]


def eosvault(programs, *words):
    """Runs eosvault; returns its standard output, or raises Declined."""
    status, output, error = programs.run([programs.eosvault, *words])
    if status != 0:
        raise Declined(error)
    return output


def identifier(programs, file, more=()):
    """The transaction id as eosvault computes it."""
    return eosvault(programs, "transaction", "id", file, *more).strip()


def digest(programs, file, chain_id, more=()):
    """The signing digest as eosvault computes it."""
    return eosvault(
        programs, "transaction", "digest", file, "--chain", chain_id, *more
    ).strip()


def inspect(programs, file, chain_id, more=()):
    """The review as JSON."""
    return json.loads(
        eosvault(programs, "inspect", file, "--chain", chain_id, "--json", *more)
    )
