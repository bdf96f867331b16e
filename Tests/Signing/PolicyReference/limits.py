"""What a key used of the limits of a policy, written from the text of the schema of policies."""
from values import asset

WINDOWS = {"transaction": None, "1h": 3600, "24h": 24 * 3600, "7d": 7 * 86400, "30d": 30 * 86400}
SLICES = 256
GREATEST = (1 << 64) - 1


class Denied(Exception):
    def __init__(self, member, **more):
        super().__init__(member)
        self.verdict = {"allowed": False, "member": member, **more}


def token(found, contract):
    return f"{found[1]},{found[2]}@{contract}"


def end_of_slice(number, window):
    """When the newest possible signature of a slice has left the window."""
    newest = -(-(number + 1) * window // SLICES) - 1
    return newest + window


class Uses:
    """What a key used of its limits: sums for each slice of 1/256 of a window."""

    def __init__(self, limits, room):
        self.room = room
        # (token, window, is for each recipient): recipient: slice: [amount, count]
        self.series = {}
        for limit in limits:
            if WINDOWS[limit["per"]]:
                self.series.setdefault(key_of(limit), {})

    def add(self, what, recipient, amount, count, time):
        for (token_, window, each), sums in self.series.items():
            if token_ != what:
                continue
            to = recipient if each else None
            full = each and self.count() >= self.room
            if full and to not in sums:
                self.merge(time)
            mine = {
                number: one for number, one in sums.get(to, {}).items()
                if end_of_slice(number, window) > time}
            number = time * SLICES // window
            old = mine.get(number, [0, 0])
            mine[number] = [min(old[0] + amount, GREATEST), min(old[1] + count, (1 << 32) - 1)]
            sums[to] = merged(mine) if full else mine

    def count(self):
        return sum(
            len(slices) for (_, _, each), sums in self.series.items() if each
            for slices in sums.values())

    def merge(self, now):
        """Merges the slices of each recipient into its newest one."""
        for (_, window, each), sums in self.series.items():
            if each:
                kept = {
                    to: {n: one for n, one in slices.items() if end_of_slice(n, window) > now}
                    for to, slices in sums.items()}
                sums.clear()
                sums.update({to: merged(slices) for to, slices in kept.items() if slices})

    def counted(self, key, recipient, now):
        """(end, [amount, count]) of the slices in the window. Sums without a recipient count for
        each."""
        sums = self.series.get(key, {})
        lists = [sums.get(to, {}) for to in {None, recipient}]
        found = [
            (end_of_slice(number, key[1]), one)
            for slices in lists for number, one in slices.items()]
        return [(end, one) for end, one in found if end > now]

    def refuse_full(self, entries, now):
        """Refuses sums of too many recipients."""
        count, ends = 0, []
        for (what, window, each), sums in self.series.items():
            if not each:
                continue
            added = {to for token_, to, _, _ in entries if token_ == what}
            count += len(added)
            for to, slices in sums.items():
                last = end_of_slice(max(slices), window)
                if to not in added and last > now:
                    ends.append(last)
        excess = count + len(ends) - self.room
        if excess > 0:
            free = sorted(ends)[excess - 1] if excess <= len(ends) else None
            raise Denied("/limits", resets=free)


def merged(slices):
    amount = min(sum(one[0] for one in slices.values()), GREATEST)
    return {max(slices): [amount, sum(one[1] for one in slices.values())]}


def key_of(limit):
    what = limit.get("token") or amount_token(limit)
    return what, WINDOWS[limit["per"]], limit.get("each_recipient", False)


def check_limits(limits, known, spent, uses, now, restored):
    for index, limit in enumerate(limits):
        what = limit.get("token") or amount_token(limit)
        for one, _, _ in spent:
            if what and one != what and one.split(",")[1] == what.split(",")[1]:
                raise Denied(f"/limits/{index}/{measure(limit)}", token=one)
    for index, limit in enumerate(limits):
        window = WINDOWS[limit["per"]]
        if known and window:
            continue
        kind = measure(limit)
        if kind == "amount":
            text, contract = limit["amount"].split("@")
            found = asset(text)
            what, most = token(found, contract), found[0]
        else:
            what, most = limit.get("token"), limit["count"]
        if what is None:
            recipients = [None]
        elif limit.get("each_recipient", False):
            recipients = list(dict.fromkeys(to for one, to, _ in spent if one == what))
        else:
            recipients = [None] if any(one == what for one, _, _ in spent) else []
        for recipient in recipients:
            mine = [amount for one, to, amount in spent if one == what and recipient in (None, to)]
            value = 1 if what is None else sum(mine) if kind == "amount" else len(mine)
            place = 0 if kind == "amount" else 1
            before = [
                (end, one[place]) for end, one in uses.counted(key_of(limit), recipient, now)
            ] if window else []
            used = sum(one for _, one in before)
            # The limit is used up until this time.
            held = restored + window if window and restored is not None else 0
            if now < held:
                used = max(used, most)
            if used + value <= most:
                continue
            resets = None
            if window and value <= most:
                # The first second at which enough slices are out of the window.
                ends = {end for end, _ in before} | {held}
                for end in sorted(one for one in ends if one >= held):
                    if end > now and value + sum(one for at, one in before if at > end) <= most:
                        resets = end
                        break
            raise Denied(f"/limits/{index}/{kind}", value=value, used=used, resets=resets)
    rolling = [limit for limit in limits if WINDOWS[limit["per"]]]
    if known or not rolling:
        return []
    entries = []
    if any("count" in limit and "token" not in limit for limit in rolling):
        entries.append([None, None, 0, 1])
    for what in dict.fromkeys(one for one, _, _ in spent):
        mine = [limit for limit in rolling if what in (limit.get("token"), amount_token(limit))]
        if not mine:
            continue
        each = any(limit.get("each_recipient", False) for limit in mine)
        sums = {}
        for one, to, amount in spent:
            if one == what:
                old = sums.setdefault(to if each else None, [0, 0])
                sums[to if each else None] = [old[0] + amount, old[1] + 1]
        entries += [[what, to, min(one[0], (1 << 64) - 1), one[1]] for to, one in sums.items()]
    uses.refuse_full(entries, now)
    return entries


def measure(limit):
    return "amount" if "amount" in limit else "count"


def amount_token(limit):
    if "amount" not in limit:
        return None
    text, contract = limit["amount"].split("@")
    return token(asset(text), contract)
