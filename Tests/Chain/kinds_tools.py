"""Files as other tools write them: eosjs, eosc, and the answers of a node."""

from vaults import Declined

OTHER_CHAIN = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"


def other_tools(desk, people):
    """12 transfers in the file formats of other tools; a file for another chain is refused."""
    before = desk.node.balance("carol")
    forms = [eosjs_object, eosjs_array, trx_object, _with_chain(desk.node.chain_id)]
    for number in range(12):
        words = ["transfer", "bob", "carol", "0.0001 EOS", f"tool {number}"]
        desk.send(desk.prepare(*words), people["bob"], given=forms[number % 4])
    desk.settle()
    desk.equal(desk.node.balance("carol") - before, 12, "the amount that carol received")
    transaction = desk.prepare("transfer", "bob", "carol", "0.0001 EOS", "elsewhere")
    try:
        desk.sign(transaction, people["bob"], given=_with_chain(OTHER_CHAIN), compare=False)
        desk.check(False, "eosvault signs a file for another chain")
    except Declined as error:
        good = "`chain_id` is the id of another chain" in str(error)
        desk.check(good, f"the error of eosvault is {error}")


def eosjs_array(_, packed):
    """The input of a signature provider in eosjs, with its bytes as an array."""
    data = list(bytes.fromhex(packed["packed_trx"]))
    return {"signatures": [], "serializedTransaction": data}


def eosjs_object(_, packed):
    """The eosjs input with a Uint8Array as JavaScript writes it: an object with numeric keys."""
    data = bytes.fromhex(packed["packed_trx"])
    indexed = {str(index): byte for index, byte in enumerate(data)}
    return {"signatures": [], "serializedTransaction": indexed}


def trx_object(transaction, packed):
    """A `trx` object, as in a node's block."""
    plain = {key: value for key, value in transaction.items() if key != "signatures"}
    plain.pop("context_free_data", None)
    return packed | {"context_free_data": [], "transaction": plain}


def _with_chain(chain_id):
    """JSON that contains its chain id, in the format of eosc."""

    def written(transaction, _):
        return transaction | {"chain_id": chain_id}

    return written
