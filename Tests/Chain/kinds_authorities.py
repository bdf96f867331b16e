"""300 random authorities: what the review says about them, and what nodeos does with them."""

import dataclasses
import itertools
import pathlib
import random
import sys

from boot import action, sole_key
from node import Refused
from programs import RigError, wait_until
from vaults import Key

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Signing/AuthorityReference"))
# pylint: disable=wrong-import-position
from generator import random_authority  # noqa: E402
from nodeos import MAX_DELAY, Checker, level_text  # noqa: E402

COUNT = 300
BATCH = 10
SEED = 30
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# eosio.null has no ABI.
BLIND = {"compare": False, "given": "json", "blind": ["eosio.null::nonce"]}
UNSATISFIED = ("unsatisfied_authorization", 3090003)


@dataclasses.dataclass
class Trial:
    """An account, its new active authority, and the members of the review about it."""

    name: str
    authority: dict
    said: dict = None

    @property
    def level(self):
        """`ACCOUNT@active`"""
        return f"{self.name}@active"

    @property
    def levels(self):
        """The permissions in the authority."""
        return [level_text(part) for part in self.authority["accounts"]]

    @property
    def warnings(self):
        """The codes of the warnings."""
        return {warning["code"] for warning in self.said}

    def find(self, code):
        """The first warning with a code; empty without one."""
        return next((warning for warning in self.said if warning["code"] == code), {})


class Rig:
    """The keys and accounts of the authorities, and nodeos's answers about them."""

    def __init__(self, desk, people):
        self.desk, self.people = desk, people
        vault = people["bank"].vault
        self.own = [self._own(vault, f"own{number}") for number in range(3)]
        self.foreign = [desk.cleos.new_key() for _ in range(2)]
        self.foreign.append(desk.cleos.new_key(r1=True))
        # The keys with which each permission of another account can act.
        self.holders = {}
        # A sub-account of the bank, through another account.
        self.permissions = {"bank@active": sole_key(people["bank"].public)}
        self.holders["bank@active"] = [people["bank"].public]
        made = (("malloryactor", None), ("insideactor1", None), ("nestedactor1", "insideactor1"))
        for name, nested in made:
            pair = desk.cleos.new_key()
            authority = sole_key(pair[0])
            if nested:
                inner = {"actor": nested, "permission": "active"}
                accounts = [{"permission": inner, "weight": 1}]
                authority = {"threshold": 1, "keys": [], "accounts": accounts, "waits": []}
            self._make([(name, authority)])
            keys = self.holders.pop(f"{nested}@active") if nested else [pair[0]]
            self.permissions[f"{name}@active"] = authority
            self.holders[f"{name}@active"] = keys
            desk.settle()

    def _own(self, vault, label):
        pair = self.desk.cleos.new_key()
        key = vault.take(label, pair)
        return Key(vault, label, key.public, pair[1])

    def creation(self, accounts):
        """The actions that make accounts with these active permissions."""
        bank, actions = sole_key(self.people["bank"].public), []
        for name, authority in accounts:
            data = {"creator": "bank", "name": name, "owner": bank, "active": authority}
            actions.append(action("eosio", "newaccount", "bank", data))
            data = {"payer": "bank", "receiver": name, "bytes": 8000}
            actions.append(action("eosio", "buyrambytes", "bank", data))
        return actions

    def _make(self, accounts):
        transaction = self.desk.build(self.creation(accounts))
        self.desk.send(transaction, self.people["bank"], compare=False)

    def make(self, names):
        """The accounts of the trials; at first, only the bank controls them."""
        for start in range(0, len(names), 25):
            part = names[start:start + 25]
            self._make([(name, sole_key(self.people["bank"].public)) for name in part])
        self.desk.settle()

    def satisfied(self, level, keys, delay):
        """nodeos's answer: these keys can authorize an action as the level after the delay."""
        actor, permission = level.split("@")
        wanted = {
            "account": "eosio.null", "name": "nonce", "data": "",
            "authorization": [{"actor": actor, "permission": permission}],
        }
        header = {"expiration": "2030-01-01T00:00:00", "ref_block_num": 0, "ref_block_prefix": 0}
        limits = {"max_net_usage_words": 0, "max_cpu_usage_ms": 0, "delay_sec": delay}
        lists = {"context_free_actions": [], "actions": [wanted], "transaction_extensions": []}
        body = {"transaction": header | limits | lists, "available_keys": sorted(keys)}
        try:
            self.desk.node.call("chain/get_required_keys", body)
        except Refused as refused:
            if (refused.name, refused.code) != UNSATISFIED:
                raise
            return False
        return True


def authorities(desk, people):
    """The review of 300 authorities, and which keys nodeos accepts for each after each delay."""
    rig = Rig(desk, people)
    source = random.Random(SEED)
    keys = ([key.public for key in rig.own], [pair[0] for pair in rig.foreign])
    levels = sorted(rig.holders)
    trials = [
        Trial(_name(number), random_authority(source, *keys, levels)) for number in range(COUNT)
    ]
    rig.make([trial.name for trial in trials])
    for start in range(0, COUNT, BATCH):
        _review(desk, people["bank"].vault, trials[start:start + BATCH])
    _set(desk, people, trials)
    accepted = [trial for trial in trials if trial.authority is not None]
    for trial in accepted:
        _compare(desk, rig, trial)
    desk.check(len(accepted) > COUNT // 2, f"only {len(accepted)} authorities are accepted")
    # The bank signs these transactions too, because it pays.
    others = [trial for trial in accepted if "bank@active" not in trial.levels]
    _push(desk, people, rig, others)
    _propose(desk, people, others)
    _longest(desk, people, rig)


def _name(number):
    return "trialaccnt" + LETTERS[number // 26] + LETTERS[number % 26]


def _update(trial):
    data = {"account": trial.name, "permission": "active", "parent": "owner"}
    level = {"actor": trial.name, "permission": "owner"}
    update = action("eosio", "updateauth", trial.name, data | {"auth": trial.authority})
    return update | {"authorization": [level]}


def _review(desk, vault, trials):
    """Reads the verdicts of the review with the vault for each authority."""
    bare = [_update(trial) for trial in trials]
    header = {"expiration": "2030-01-01T00:00:00", "ref_block_num": 0, "ref_block_prefix": 0}
    review = desk.inspect(desk.file(header | {"actions": bare}), ["--vault", vault.path])
    for trial in trials:
        trial.said = [
            warning for warning in review["warnings"] if warning.get("permission") == trial.level
        ]


def _set(desk, people, trials):
    """Sets the authorities. The chain refuses those that the review says it refuses."""
    bank, refused = people["bank"], {"refused-authority", "unreachable-threshold"}
    good = [trial for trial in trials if not trial.warnings & refused]
    for start in range(0, len(good), BATCH):
        updates = [_update(trial) for trial in good[start:start + BATCH]]
        desk.send(desk.build([_payment(start)] + updates), bank, compare=False)
    desk.settle()
    for number, trial in enumerate(trials):
        if trial not in good:
            # cleos keeps the order of the parts.
            updates = [_payment(number), _update(trial)]
            signed = desk.sign(desk.build(updates), bank, compare=False)
            desk.refused(signed.packed, "action_validate_exception", 3050000, f"{trial.authority}")
            trial.authority = None


def _compare(desk, rig, trial):
    """Compares the review of one authority with nodeos, and with the rules in Python."""
    authority = trial.authority
    own = {key.public for key in rig.own}
    keys = {part["key"] for part in authority["keys"]}
    mine, others = keys & own, keys - own
    atoms = [{key} for key in sorted(others)]
    atoms += [set(rig.holders[level]) for level in trial.levels]
    delays = sorted({0} | {part["wait_sec"] for part in authority["waits"]})
    permissions = rig.permissions | {trial.level: authority}
    known = {}

    def holds(held, delay):
        case = (frozenset(held), delay)
        if case not in known:
            known[case] = rig.satisfied(trial.level, held, delay)
            python = Checker(permissions, held, delay).satisfies(trial.level)
            desk.equal(python, known[case], f"nodeos.py: {trial.level} with {case} {authority}")
        return known[case]

    def reach(held):
        return next((delay for delay in delays if holds(held, delay)), None)

    subsets = [
        set().union(*some) for size in range(len(atoms) + 1)
        for some in itertools.combinations(atoms, size)
    ]
    counts = any(
        holds(some | mine, delay) and not holds(some, delay)
        for some in subsets for delay in delays
    )
    all_others = set().union(*atoms)
    change = trial.find("active-change")
    first = trial.find("foreign-account")
    facts = {
        "lockout": ("lockout" in trial.warnings, not counts),
        "can sign": (change.get("missing_weight") == 0, holds(mine, 0)),
        "others": (_said(change), reach(all_others)),
        "open": (trial.find("open-after-wait").get("delay_sec"), reach(set())),
        "keys": (_said(trial.find("foreign-key")), reach(others) if others else None),
        "account": (
            _said(first), reach(set(rig.holders[first["added"]])) if first else None,
        ),
    }
    for fact, (said, true) in facts.items():
        desk.equal(said, true, f"{fact}: {trial.level} {authority}")


def _said(warning):
    """The delay with which others can act, as a warning states it; None for never."""
    if warning.get("others_act") == "now":
        return 0
    return warning.get("delay_sec") if warning.get("others_act") == "after" else None


def _payment(number):
    """The first action: its account pays for the CPU time of the transaction."""
    data = {"from": "bank", "to": "bob", "quantity": "0.0001 EOS", "memo": f"{number}"}
    return action("eosio.token", "transfer", "bank", data)


def _nonce(trial, number):
    levels = [{"actor": name, "permission": "active"} for name in ("bank", trial.name)]
    nonce = {"account": "eosio.null", "name": "nonce", "authorization": levels}
    return nonce | {"data": f"{number:08x}"}


def _push(desk, people, rig, trials):
    """Real transactions: with the vault's keys, and with a delay that waits satisfy."""
    bank = people["bank"]
    able = [trial for trial in trials if trial.find("active-change").get("missing_weight") == 0]
    unable = [
        trial for trial in trials
        if trial.find("active-change").get("own_weight") and trial not in able
        and "open-after-wait" not in trial.warnings
    ]
    for number, trial in enumerate(able[:12]):
        keys = _least(rig, trial)
        desk.send(desk.build([_nonce(trial, number)]), bank, *keys, **BLIND)
    for number, trial in enumerate(unable[:12]):
        keys = _least(rig, trial)
        signed = desk.sign(
            desk.build([_nonce(trial, number)]), bank, *keys, **BLIND)
        desk.refused(signed.packed, *UNSATISFIED, f"the vault's keys as {trial.level}")
    desk.settle()
    waiting = [trial for trial in trials if "open-after-wait" in trial.warnings]
    for number, trial in enumerate(waiting[:12]):
        seconds = trial.find("open-after-wait")["delay_sec"]
        delayed = desk.build([_nonce(trial, number)]) | {"delay_sec": seconds}
        signed = desk.sign(delayed, bank, **BLIND, output="packed")
        desk.equal(desk.push(signed)["processed"]["receipt"]["status"], "delayed", "the status")
        desk.report.count(desk.kind).accepted += 1
        delayed = desk.build([_nonce(trial, number)]) | {"delay_sec": seconds - 1}
        signed = desk.sign(delayed, bank, **BLIND, output="packed")
        desk.refused(signed.packed, *UNSATISFIED, f"a shorter delay as {trial.level}")


def _least(rig, trial):
    """The vault's keys that count: nodeos refuses signatures that it does not need."""
    weights = {part["key"]: part["weight"] for part in trial.authority["keys"]}
    found, total = [], 0
    for key in sorted(rig.own, key=lambda key: -weights.get(key.public, 0)):
        if weights.get(key.public, 0) and total < trial.authority["threshold"]:
            found.append(key)
            total += weights[key.public]
    return found


def _propose(desk, people, trials):
    """Proposals that nobody approves: they run after the delay only if waits alone satisfy them."""
    bank = people["bank"]
    short = [trial for trial in trials if trial.find("open-after-wait").get("delay_sec", 99) <= 3]
    closed = [trial for trial in trials if "open-after-wait" not in trial.warnings]
    short, closed = short[:6], closed[:6]
    desk.check(len(short) >= 3, f"only {len(short)} authorities with short waits")
    for trial in short:
        data = {"from": "bank", "to": trial.name, "quantity": "1.0000 EOS", "memo": ""}
        stake = {"stake_net_quantity": "10.0000 EOS", "stake_cpu_quantity": "10.0000 EOS"}
        given = stake | {"from": "bank", "receiver": trial.name, "transfer": False}
        actions = [
            action("eosio.token", "transfer", "bank", data),
            action("eosio", "delegatebw", "bank", given),
        ]
        desk.send(desk.build(actions), bank, compare=False)
    desk.settle()
    for number, trial in enumerate(short + closed):
        seconds = trial.find("open-after-wait").get("delay_sec", MAX_DELAY - 1)
        proposal = _proposal(desk, trial, LETTERS[number], seconds)
        if trial in short:
            desk.send(proposal, bank, compare=False)
            # eosio.msig compares the delay too.
            sooner = _proposal(desk, trial, "x" + LETTERS[number], seconds - 1)
            _unsatisfied(desk, bank, sooner, trial)
        else:
            _unsatisfied(desk, bank, proposal, trial)
    desk.settle()
    for number in range(len(short)):
        words = ["multisig", "exec", "bank", LETTERS[number], "bank"]
        desk.send(desk.prepare(*words), bank, compare=False)
    desk.settle()
    for trial in short:
        _wait_for(desk, trial.name, 0)
        desk.equal(desk.node.balance(trial.name), 0, f"the balance of {trial.name}")


def _proposal(desk, trial, name, seconds):
    data = {"from": trial.name, "to": "bob", "quantity": "1.0000 EOS", "memo": name}
    inner = desk.build([action("eosio.token", "transfer", trial.name, data)])
    file = desk.file(inner | {"delay_sec": seconds})
    return desk.prepare("multisig", "propose_trx", name, "[]", file, "bank")


def _unsatisfied(desk, bank, proposal, trial):
    """eosio.msig refuses a proposal that the requested permissions and its delay don't satisfy."""
    signed = desk.sign(proposal, bank, compare=False)
    error = ("eosio_assert_message_exception", 3050003)
    desk.refused(signed.packed, *error, f"the proposal of {trial.level}")


def _wait_for(desk, account, balance):
    try:
        wait_until(lambda: desk.node.balance(account) == balance, "the transfer")
    except RigError:
        pass


def _longest(desk, people, rig):
    """Waits of newaccount may be longer than any delay: the longest delay covers them."""
    waits = [{"wait_sec": MAX_DELAY + 1, "weight": 1}]
    authority = sole_key(rig.foreign[0][0]) | {"waits": waits}
    trial = Trial("longestwait1", authority)
    transaction = desk.build(rig.creation([(trial.name, authority)]))
    review = desk.inspect(desk.file(transaction), ["--vault", people["bank"].vault.path])
    trial.said = [each for each in review["warnings"] if each.get("permission") == trial.level]
    desk.equal(trial.find("open-after-wait").get("delay_sec"), MAX_DELAY, "the longest wait")
    desk.send(transaction, people["bank"], compare=False)
    desk.settle()
    for seconds in (MAX_DELAY, MAX_DELAY - 1):
        delayed = desk.build([_nonce(trial, seconds)]) | {"delay_sec": seconds}
        signed = desk.sign(delayed, people["bank"], **BLIND, output="packed")
        if seconds == MAX_DELAY:
            desk.equal(desk.push(signed)["processed"]["receipt"]["status"], "delayed", "the status")
        else:
            desk.refused(signed.packed, *UNSATISFIED, "a delay below the longest")
    # updateauth refuses such waits.
    update = desk.build([_payment(0), _update(trial)])
    signed = desk.sign(update, people["bank"], compare=False)
    desk.refused(signed.packed, "action_validate_exception", 3050000, "a wait of updateauth")
