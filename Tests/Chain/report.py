"""Counts the checks and their results: one line for each kind, and the total."""

import dataclasses
import sys


@dataclasses.dataclass
class Count:
    """The counts of one kind."""

    accepted: int = 0
    refused: int = 0
    passed: int = 0
    failed: int = 0


class Report:
    """Counts checks by kind. A check that fails is printed when it fails."""

    def __init__(self, quiet=False):
        self.kinds = {}
        self.quiet = quiet

    def count(self, kind):
        """The counts of a kind."""
        return self.kinds.setdefault(kind, Count())

    def check(self, kind, good, text):
        """Counts one check; `text`, the expectation, is printed when the check fails."""
        count = self.count(kind)
        if good:
            count.passed += 1
        else:
            count.failed += 1
            if not self.quiet:
                print(f"FAIL  {kind}: {text}", file=sys.stderr)
        return bool(good)

    def equal(self, kind, actual, expected, what):
        """Counts one comparison."""
        return self.check(kind, actual == expected, f"{what}: {actual!r}, expected {expected!r}")

    @property
    def accepted(self):
        """How many transactions were accepted, of all kinds."""
        return sum(count.accepted for count in self.kinds.values())

    @property
    def refused(self):
        """How many transactions the chain refused, as expected."""
        return sum(count.refused for count in self.kinds.values())

    @property
    def passed(self):
        """How many checks passed."""
        return sum(count.passed for count in self.kinds.values())

    @property
    def failed(self):
        """How many checks failed."""
        return sum(count.failed for count in self.kinds.values())

    def line(self, kind):
        """The line of one kind."""
        count = self.count(kind)
        words = []
        if count.accepted:
            words.append(f"{count.accepted} accepted")
        if count.refused:
            words.append(f"{count.refused} refused")
        words.append(f"{count.passed} checks passed")
        words.append(f"{count.failed} failed")
        return f"{kind:<28}  {', '.join(words)}"
