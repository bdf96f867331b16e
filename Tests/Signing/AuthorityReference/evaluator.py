"""Compares what the review says about random authorities with the rules of nodeos.

usage: evaluator.py check FILE

Each line of FILE is a JSON object: the account, the levels that an action sets with their
authorities, the keys of the vault, and what the review says about one of the levels. Prints each
line that differs, then the number of lines.
"""

import itertools
import json
import sys

from nodeos import MAX_DELAY, NULL_KEY, Checker, is_ordered, level_text, validate


class World:
    """The permissions of the levels that the action sets, and those of all other accounts: each of
    these has a key of its own, some of them through another account."""

    def __init__(self, case):
        self.level = case["level"]
        self.creator = case["creator"]
        self.own = [key for key in case["own"] if key != NULL_KEY]
        self.set = case["authorities"]
        self.authority = self.set[self.level]
        # No one has the private key of the all-zero key. Only in the level itself does it show that
        # the account gives the permission up.
        self.permissions = {
            level: each if level == self.level else each | {"keys": [
                part for part in each["keys"] if part["key"] != NULL_KEY]}
            for level, each in self.set.items()
        }
        self.levels = [level_text(part) for part in self.authority["accounts"]]
        others = {level_text(part) for each in self.set.values() for part in each["accounts"]}
        for place, level in enumerate(sorted(others - set(self.set))):
            if not level.endswith("@eosio.code"):
                self._control(level, nested=place % 2 == 1)
        # All keys of the action that the vault does not have.
        keys = {part["key"] for each in self.set.values() for part in each["keys"]}
        self.foreign = sorted(keys - {*self.own, NULL_KEY})
        parts = [part for each in self.set.values() for part in each["waits"]]
        waits = {min(part["wait_sec"], MAX_DELAY) for part in parts}
        self.delays = sorted(waits | {0})

    def _control(self, level, nested):
        key = {"threshold": 1, "keys": [{"key": level, "weight": 1}], "accounts": [], "waits": []}
        if nested:
            deep = {"actor": "deep." + level.split("@")[0], "permission": level.split("@")[1]}
            inner = [{"permission": deep, "weight": 1}]
            self.permissions[level_text(inner[0])] = key
            key = {"threshold": 1, "keys": [], "accounts": inner, "waits": []}
        self.permissions[level] = key

    def holds(self, keys, levels, delay):
        """True if these keys and those who control these levels can act after the delay."""
        provided, held = [], list(keys)
        for level in levels:
            if level in self.set:
                # Another permission of the new account, if anything satisfies it.
                if level != self.level and self.is_usable(level):
                    provided.append(level)
            elif level.endswith("@eosio.code"):
                provided.append(level)
            else:
                held.append(level)
        return Checker(self.permissions, held, delay, provided).satisfies(self.level)

    def is_usable(self, level, with_null_key=False):
        """True if all keys and accounts and the longest delay satisfy the level."""
        parts = [part for each in self.set.values() for part in each["keys"]]
        keys = [part["key"] for part in parts if with_null_key or part["key"] != NULL_KEY]
        codes = []
        for authority in self.set.values():
            for other in map(level_text, authority["accounts"]):
                if other.endswith("@eosio.code"):
                    codes.append(other)
                elif other not in self.set:
                    keys.append(other)
        return Checker(self.permissions, keys, MAX_DELAY, codes).satisfies(level)

    def is_subaccount(self):
        """True for a new account that only its creator controls."""
        owners = {level.split("@")[0] for level in self.levels if not level.endswith("@eosio.code")}
        codes = any(level.endswith("@eosio.code") for level in self.levels)
        return not self.authority["keys"] and not codes and owners == {self.creator}

    def reach(self, keys, levels):
        """The least delay with which they can act; None if there is none."""
        return next((delay for delay in self.delays if self.holds(keys, levels, delay)), None)

    def counts(self):
        """True if the vault's keys decide in any case: with some others and some delay."""
        atoms = [(key, None) for key in self.foreign] + [(None, level) for level in self.levels]
        for size in range(len(atoms) + 1):
            for some in itertools.combinations(atoms, size):
                keys = [key for key, level in some if level is None]
                levels = [level for _, level in some if level is not None]
                for delay in self.delays:
                    holds = self.holds(keys + self.own, levels, delay)
                    if holds and not self.holds(keys, levels, delay):
                        return True
        return False


def expected(case):
    """What the review has to say, with the members of the case that the review mentions."""
    world = World(case)
    said = {"refused": not is_ordered(world.authority)}
    others = [each for level, each in world.set.items() if level != world.level]
    if said["refused"] or not all(map(validate, others)):
        # nodeos refuses the action, and its checker reads no such authority.
        return said
    if world.authority["threshold"] == 0:
        return said | {"unreachable": True}
    said["unreachable"] = not world.is_usable(world.level, with_null_key=True)
    if not said["unreachable"] and not validate(world.authority):
        raise ValueError("nodeos refuses an authority that can be satisfied")
    said["open"] = world.reach([], [])
    levels = [] if world.is_subaccount() else world.levels
    said["accounts"] = [world.reach([], [level]) for level in levels]
    said["keys"] = world.reach(world.foreign, []) if any(
        part["key"] not in case["own"] for part in world.authority["keys"]) else "unsaid"
    if not case["new"]:
        said["can_sign"] = world.holds(world.own, [], 0)
        said["others"] = world.reach(world.foreign, world.levels)
        if case["level"].split("@")[1] in ("owner", "active"):
            said["lockout"] = not (world.counts() and world.is_usable(world.level))
    return said


def main(command, file):
    """Prints the differences; the exit status is 1 if there is one."""
    if command != "check":
        sys.exit(__doc__.strip())
    count, different = 0, 0
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            count += 1
            wanted = expected(case)
            said = case["said"]
            wrong = {name: value for name, value in wanted.items() if said.get(name) != value}
            if wrong:
                different += 1
                print(f"{line.strip()}\n  expected {json.dumps(wrong)}")
    print(f"checked {count}")
    return 1 if different else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
