"""Keys on their way between a vault and keosd, in wallet files."""

import json

from vaults import Vault

# 12 words of BIP-39, as python-mnemonic's vectors have them.
WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow"
PASSWORD = "PW5-a-password-that-only-these-tests-use"


def keosd_wallets(desk, _):
    """keosd opens a wallet that eosvault wrote, and eosvault imports one of keosd."""
    vault = Vault(desk.programs, "wallets")
    words = _secret(desk, "words", WORDS)
    vault.run("seed", "restore", "family", "--words-file", words)
    keys = [vault.create("own").public, vault.create("phone", "R1").public]
    keys += [vault.run("create", "--seed", "family").strip() for _ in range(3)]
    _opened_by_keosd(desk, vault, keys)
    _imported(desk, vault)


def _opened_by_keosd(desk, vault, keys):
    password = _secret(desk, "password", PASSWORD)
    file = desk.programs.work / desk.cleos.folder / "exported.wallet"
    vault.run("export", *keys, "--to", "keosd", "-o", file, "--new-password-file", password)
    desk.cleos.run("wallet", "open", "-n", "exported")
    desk.cleos.run("wallet", "unlock", "-n", "exported", "--password", PASSWORD)
    pairs = desk.cleos.json("wallet", "private_keys", "-n", "exported", "--password", PASSWORD)
    desk.equal(sorted(pair[0] for pair in pairs), sorted(keys), "the keys that keosd opens")
    for public, private in pairs:
        form = "wif" if public.startswith("EOS") else "pvt"
        text = vault.run("export", public, "--to", form, "--force").strip()
        desk.check(text == private, f"keosd and eosvault have different private keys of {public}")
    desk.cleos.run("wallet", "lock", "-n", "exported")


def _imported(desk, vault):
    output, _ = desk.cleos.run("wallet", "create", "-n", "theirs", "--to-console")
    password = output.split('"')[1]
    pairs = [desk.cleos.new_key(), desk.cleos.new_key(r1=True), desk.cleos.new_key()]
    for _, private in pairs:
        desk.cleos.run("wallet", "import", "-n", "theirs", "--private-key", private)
    file = desk.programs.work / desk.cleos.folder / "theirs.wallet"
    secret = _secret(desk, "their-password", password)
    lines = vault.run("import", file, "--password-file", secret, "--json").splitlines()
    rows = [json.loads(line) for line in lines]
    found = sorted(row["public_key"] for row in rows if row["state"] == "imported")
    desk.equal(found, sorted(pair[0] for pair in pairs), "the keys of keosd's wallet")
    for public, private in pairs:
        form = "wif" if public.startswith("EOS") else "pvt"
        text = vault.run("export", public, "--to", form, "--force").strip()
        desk.check(text == private, f"eosvault and cleos have different private keys of {public}")


def _secret(desk, name, text):
    file = desk.programs.work / f"{name}.secret"
    file.touch(mode=0o600)
    file.write_text(text, encoding="utf-8")
    return file
