"""The example app of the libraries, which has a vault of its own."""

import json
import os

from desk import Signed, identifier

PIN = "the passphrase of the app"


def example_app(desk, people):
    """The app imports a key and signs 3 transfers, as keosd would."""
    key, work = people["bob"], desk.programs.work
    before = desk.node.balance("carol")
    words = ["transfer", "bob", "carol", "0.0001 EOS"]
    files = [desk.file(desk.prepare(*words, f"app {number}")) for number in range(3)]
    # It asks for the PIN of the new vault, and again before it uses the vault.
    lines = [PIN, f"import {work / 'bob.key'}", PIN]
    for file in files:
        lines += [f"sign {file} {desk.node.chain_id} {file}.signed", "yes"]
    status, output, error = desk.programs.run(
        [os.environ["EOSVAULT_WALLET"], work / "app.vault", "600"], "\n".join(lines) + "\n")
    desk.check(status == 0, f"the app ended with {status}: {output}{error}")
    for file in files:
        with open(f"{file}.signed", encoding="utf-8") as signed:
            packed = json.load(signed)
        theirs = desk.cleos.signature(file, key.public, desk.node.chain_id)
        desk.equal(packed["signatures"], [theirs], "the signatures")
        signed = Signed(packed, identifier(packed), "", "packed")
        desk.equal(desk.push(signed)["transaction_id"], signed.identifier, "the transaction id")
        desk.report.count(desk.kind).accepted += 1
        desk.expect(signed)
    desk.settle()
    desk.equal(desk.node.balance("carol") - before, 3, "the amount that carol received")
