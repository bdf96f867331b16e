"""Tests the tests: causes each kind of failure on purpose, and checks that it is counted.

Tests that always pass prove nothing. Wrong expectations are therefore given to a desk with a
separate report, which must count exactly the failures that were caused.
"""

import desk as desks
from report import Report


def notices_failures(desk, people):
    """Makes each kind of check fail once."""
    report = Report(quiet=True)
    blind = desks.Desk(desk.chain, report)
    blind.kind = "self-test"
    made = 0
    for fails in (_effect, _not_refused, _other_error, _not_accepted, _not_in_block, _signature):
        before = report.failed
        fails(blind, people)
        made += 1
        desk.check(report.failed == before + 1, f"the tests do not detect: {fails.__doc__}")
    desk.equal(report.failed, made, "the failures counted")


def _transfer(desk, people, memo):
    transaction = desk.prepare("transfer", "alice", "bob", "0.0003 EOS", memo)
    return desk.sign(transaction, people["alice"], output="packed", compare=False)


def _effect(desk, people):
    """A missing effect: the transaction was signed, but not pushed."""
    before = desk.node.balance("bob")
    _transfer(desk, people, "never pushed")
    desk.node.wait_for_blocks(2)
    desk.equal(desk.node.balance("bob"), before + 3, "bob's balance")


def _not_refused(desk, people):
    """A valid transaction where a refusal is expected."""
    signed = _transfer(desk, people, "accepted")
    desk.refused(signed.packed, "unsatisfied_authorization", 3090003, "a valid transaction")


def _other_error(desk, people):
    """A refusal for a reason other than the expected one."""
    packed = _transfer(desk, people, "refused").packed | {"signatures": []}
    desk.refused(packed, "expired_tx_exception", 3040005, "no signature")


def _not_accepted(desk, people):
    """A refusal where the chain is expected to accept."""
    transaction = desk.prepare("transfer", "alice", "bob", "0.0003 EOS", "by another")
    desk.send(transaction, people["bob"], compare=False)


def _not_in_block(desk, people):
    """A transaction that is in no block."""
    signed = _transfer(desk, people, "in no block")
    signed.trace = {"block_num": desk.node.info()["head_block_num"]}
    desk.expect(signed)
    desk.settle(patience=1)


def _signature(desk, people):
    """A block that contains the transaction with a signature different from eosvault's."""
    transaction = desk.prepare("transfer", "alice", "bob", "0.0003 EOS", "other signature")
    signed = desk.send(transaction, people["alice"], compare=False)
    signed.packed = signed.packed | {"signatures": ["SIG_K1_other"]}
    desk.settle()
