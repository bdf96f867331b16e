"""Keys and signatures between text and bytes, by cleos: an independent codec."""

import json

from programs import RigError

_ABI = {
    "version": "eosio::abi/1.1",
    "types": [],
    "structs": [
        {"name": "key", "base": "", "fields": [{"name": "value", "type": "public_key"}]},
        {"name": "sig", "base": "", "fields": [{"name": "value", "type": "signature"}]},
    ],
    "actions": [
        {"name": "key", "type": "key", "ricardian_contract": ""},
        {"name": "sig", "type": "sig", "ricardian_contract": ""},
    ],
    "tables": [],
    "ricardian_clauses": [],
    "error_messages": [],
    "abi_extensions": [],
}


class Codec:
    """cleos with an ABI of two actions: `key` has a public key, `sig` a signature."""

    def __init__(self, cleos):
        self.cleos = cleos
        self.file = cleos.programs.work / "codec.abi"
        self.file.write_text(json.dumps(_ABI), encoding="utf-8")

    def pack(self, name, text):
        """The bytes of a key or signature, with the type byte."""
        words = ["convert", "pack_action_data", "codec", name, json.dumps({"value": text})]
        output, error = self.cleos.run("--abi-file", f"codec:{self.file}", *words)
        try:
            return bytes.fromhex(output.strip().strip('"'))
        except ValueError:
            raise RigError(f"cleos can't pack {text}: {output}{error}") from None

    def text(self, name, data):
        """The text of a key or signature."""
        words = ["convert", "unpack_action_data", "codec", name, data.hex()]
        return self.cleos.json("--abi-file", f"codec:{self.file}", *words)["value"]
