"""Unusual ABIs that chains accept: eosvault decodes with them like nodeos."""

import copy

import vaults
from boot import action

_PLAIN = {
    "version": "eosio::abi/1.1",
    "structs": [
        {
            "name": "pay",
            "base": "",
            "fields": [{"name": "sum", "type": "asset"}, {"name": "memo", "type": "string"}],
        }
    ],
    "actions": [{"name": "pay", "type": "pay", "ricardian_contract": ""}],
}
DATA = {"sum": "12.3456 EOS", "memo": "for tea"}
# This text is in one ABI, where it is replaced by bytes that are not UTF-8.
TEXT, BYTES = "not UTF-8".encode(), b"\xff\xfe\x80\xc0 \xed\xa0\x80\xf8"


# The chain uses the built-in type, and other tools may use the struct: no action is shown with it.
REDEFINED = "a struct named like a built-in type"


def odd_abis(desk, people):
    """5 ABIs set on an account, and 4 actions signed with each that eosvault shows."""
    for name, abi in _forms().items():
        if desk.send(_setabi(desk, name, abi), people["alice"]):
            desk.settle()
            if name == REDEFINED:
                _is_refused(desk, name)
                continue
            try:
                _use(desk, people, name, abi)
            except vaults.Declined as error:
                desk.check(False, f"{name}: {error}")


def _is_refused(desk, name):
    """The chain has the ABI, and eosvault shows no action with it."""
    file = desk.file(desk.node.call("chain/get_raw_abi", {"account_name": "forms"}))
    transaction = desk.file(desk.build([action("forms", "pay", "alice", DATA)]))
    try:
        desk.inspect(transaction, ["--abi", f"forms={file}"])
        desk.check(False, f"{name}: shown")
    except vaults.Declined as error:
        desk.check("undecodable" in str(error), f"{name}: refused with another code: {error}")


def _use(desk, people, name, abi):
    """Signs with the raw ABI of the chain, and with the JSON from which it was made."""
    answer = desk.node.call("chain/get_raw_abi", {"account_name": "forms"})
    _judge(desk, name, answer)
    raw, text = desk.file(answer), desk.file(abi)
    for given, file in (("json", raw), ("decoded", text), ("packed", raw), ("decoded", raw)):
        more = ["--abi", f"forms={file}"]
        transaction = desk.build([action("forms", "pay", "alice", DATA)])
        seen = desk.inspect(desk.file(transaction), more)
        signed = desk.send(transaction, people["alice"], given=given, more=more)
        if signed:
            desk.equal(seen["actions"][0]["data"], signed.act(), f"the review: {name}")
    desk.settle()


def _forms():
    """The ABIs, keyed by their unusual property."""
    forms = {}
    forms[REDEFINED] = abi = copy.deepcopy(_PLAIN)
    abi["structs"].append(_struct("asset", ("x", "uint8")))
    forms["a built-in type of a later version"] = abi = copy.deepcopy(_PLAIN)
    abi["structs"].append(_struct("bitset", ("x", "uint8")))
    forms["a field twice in a table's row"] = abi = copy.deepcopy(_PLAIN)
    abi["structs"].append(_struct("row", ("a", "uint8"), ("a", "uint16")))
    table = {"name": "rows", "index_type": "i64", "key_names": [], "key_types": [], "type": "row"}
    abi["tables"] = [table]
    forms["members left out"] = abi = copy.deepcopy(_PLAIN)
    abi["ricardian_clauses"] = [{"body": "a clause without an id"}]
    abi["actions"] += [{"type": "pay"}]
    forms["a text that is not UTF-8"] = abi = copy.deepcopy(_PLAIN)
    abi["actions"][0]["ricardian_contract"] = TEXT.decode()
    return forms


def _struct(name, *fields):
    typed = [{"name": field, "type": kind} for field, kind in fields]
    return {"name": name, "base": "", "fields": typed}


def _setabi(desk, name, abi):
    """A transaction of setabi, with the raw ABI as cleos packs it."""
    folder = desk.programs.work / "forms"
    folder.mkdir(exist_ok=True)
    desk.file(abi).rename(folder / "forms.abi")
    code, _ = desk.programs.contract("eosio.wrap")
    (folder / "forms.wasm").write_bytes(code)
    whole = desk.prepare("set", "contract", "forms", folder, "forms.wasm", "forms.abi")
    setabi = whole["actions"][-1]
    desk.equal(setabi["name"], "setabi", f"the action that cleos prepares for {name}")
    setabi["data"] = setabi["data"].replace(TEXT.hex(), BYTES[: len(TEXT)].hex())
    return whole | {"actions": [setabi]}


def _judge(desk, name, answer):
    """Compares the chain's hash of the raw ABI with the hash that eosvault prints."""
    words = ["abi", "convert", desk.file(answer), "--format", "sha256"]
    ours = vaults.eosvault(desk.programs, *words).strip()
    desk.equal(ours, answer["abi_hash"], f"the hash of the ABI: {name}")
