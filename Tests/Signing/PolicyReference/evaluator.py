"""Judges transactions by policies, written from the text of the schema of policies.

usage: evaluator.py check FILE

Each line of FILE is a JSON object: a policy, a request, a history in the order of its times, the
clock, the time of the last record, the time of the restore, the greatest number of sums for each
recipient, and the verdict of the program. Prints the lines whose verdict
differs, then the number of lines.
"""
import json
import sys

from limits import Denied, Uses, amount_token, check_limits, measure, token
from values import MISSING, TESTS, asset, escape, find, holds, is_name, number, text_of

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
CHAINS = {
    "eos": "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906",
    "jungle4": "73e4385a2708e6d7048834fbc1079f2fabb17b3c125b146af438971e90716c4d",
}
SYSTEM = ("eosio", "core.vaulta")


# Rules


def level_matches(pattern, level):
    actor, permission = pattern.split("@")
    if actor not in ("*", level["actor"]):
        return False
    if permission == "*":
        return level["permission"] != "owner"
    return permission == level["permission"]


def is_authorized(rule, action):
    levels = action["authorization"]
    allowed = rule.get("authorization")
    if allowed is None:
        return all(level["permission"] != "owner" for level in levels)
    return bool(levels) and all(
        any(level_matches(one, level) for one in allowed) for level in levels)


def failure(rule, action):
    """How many members hold, and the one that fails; None if all hold."""
    if rule["contract"] != action["account"]:
        return -1, None
    star = rule["action"] == "*"
    if star and action["account"] in SYSTEM and action["name"] == "buyrambytes":
        return -1, None
    if not star and rule["action"] != action["name"]:
        return -1, None
    if not is_authorized(rule, action):
        return 0, "/authorization" if "authorization" in rule else ""
    fields = list(rule.get("fields", {}).items())
    for index, (pointer, tests) in enumerate(fields):
        value = find(action["data"], pointer)
        for name in TESTS:
            if name in tests and not holds(name, value, tests[name]):
                return 1 + index, f"/fields/{escape(pointer)}/{name}"
    if action["inner"] == "unknown" and rule.get("unknown_proposal", "deny") != "allow":
        return 1 + len(fields), "/unknown_proposal"
    if action["given_abi"] and rule.get("given_abi", "deny") != "allow":
        return 2 + len(fields), "/given_abi"
    return None


def deciding(policy, action, path):
    best = (-1, None, None)
    for index, rule in enumerate(policy.get("rules", [])):
        found = failure(rule, action)
        if found is None:
            return index
        if found[0] > best[0]:
            best = (found[0], index, found[1])
    if best[0] < 0:
        raise Denied("/rules", path=path)
    raise Denied(f"/rules/{best[1]}{best[2]}", path=path)


def deciding_blind(policy, action, path):
    """The rule for data that can't be decoded."""
    place = action["account"], action["name"]
    rules = [
        (index, rule) for index, rule in enumerate(policy.get("rules", []))
        if rule.get("blind") == "allow" and (rule["contract"], rule["action"]) == place
    ]
    if not rules or action["inner"] is not None:
        raise Denied("/rules", path=path)
    for index, rule in rules:
        if is_authorized(rule, action):
            return index
    index, rule = rules[0]
    member = "/authorization" if "authorization" in rule else ""
    raise Denied(f"/rules/{index}{member}", path=path)


def refuse_uncounted(policy, action, path):
    """Refuses data that can't be decoded if something counts what it may pay."""
    for index, limit in enumerate(policy.get("limits", [])):
        what = limit.get("token") or amount_token(limit)
        if what and what.split("@")[1] == action["account"]:
            raise Denied(f"/limits/{index}/{measure(limit)}", path=path)
    for index, one in enumerate(policy.get("amounts", [])):
        if (one["contract"], one["action"]) == (action["account"], action["name"]):
            raise Denied(f"/amounts/{index}/amount", path=path)


# Payments

SPENT = {
    "buyramself": ["quant"], "buyramburn": ["quantity"], "donatetorex": ["quantity"],
    "bidname": ["bid"], "buyrex": ["amount"], "deposit": ["amount"], "sellrex": ["rex"],
    "rentcpu": ["loan_payment", "loan_fund"], "rentnet": ["loan_payment", "loan_fund"],
    "fundcpuloan": ["payment"], "fundnetloan": ["payment"],
}


def symbol(text):
    """(precision, code) of a token"""
    precision, rest = text.split("@")[0].split(",")
    return int(precision), rest


def payments(action):
    """(token, recipient, amount)"""
    account, name, data = action["account"], action["name"], action["data"]
    if not isinstance(data, dict):
        return
    home = "eosio.token" if account == "eosio" else account

    def paid(field, recipient, contract, with_zero=True):
        found = asset(data.get(field))
        if found and recipient is not None and (with_zero or found[0] != 0):
            yield token(found, contract), recipient, abs(found[0])

    if name == "issue" or name == "transfer" and data.get("from") is not None:
        yield from paid("quantity", data.get("to"), account)
    elif name == "retire":
        yield from paid("quantity", account, account)
    elif account in SYSTEM and name == "delegatebw":
        for field in ("stake_net_quantity", "stake_cpu_quantity"):
            yield from paid(field, data.get("receiver"), home, with_zero=False)
    elif account in SYSTEM and name == "buyram":
        yield from paid("quant", data.get("receiver"), home)
    elif account in SYSTEM and name == "powerup":
        yield from paid("max_payment", data.get("receiver"), home)
    elif account == "core.vaulta" and name == "swapto":
        found = asset(data.get("quantity"))
        contract = "eosio.token" if found and found[2] == "EOS" else "core.vaulta"
        yield from paid("quantity", data.get("to"), contract)
    elif account in SYSTEM and name in SPENT:
        for field in SPENT[name]:
            yield from paid(field, account, account if name == "sellrex" else home, with_zero=False)


def refuse_hidden(policy, action, path):
    """Refuses an action of a token contract whose payment can't be read."""
    account, name = action["account"], action["name"]
    is_declared = any(
        (one["contract"], one["action"]) == (account, name) for one in policy.get("amounts", []))
    if name not in ("transfer", "issue", "retire") or any(payments(action)) or is_declared:
        return
    for index, limit in enumerate(policy.get("limits", [])):
        what = limit.get("token") or amount_token(limit)
        if what and what.split("@")[1] == account:
            raise Denied(f"/limits/{index}/{measure(limit)}", path=path)


def declared(policy, action, path):
    groups = {}
    for index, one in enumerate(policy.get("amounts", [])):
        if (one["contract"], one["action"]) == (action["account"], action["name"]):
            groups.setdefault(one["amount"], []).append((index, one))
    for pointer, group in groups.items():
        value = find(action["data"], pointer)
        value = number(None if value is MISSING else text_of(value))
        counted = [
            (index, one) for index, one in group
            if value is not None and value[1] in ("integer", symbol(one["token"]))
        ]
        if not counted:
            raise Denied(f"/amounts/{group[0][0]}/amount", path=path)
        for index, one in counted:
            recipient = action["account"]
            if "recipient" in one:
                recipient = find(action["data"], one["recipient"])
            if not isinstance(recipient, str) or not is_name(recipient):
                raise Denied(f"/amounts/{index}/amount", path=path)
            yield one["token"], recipient, abs(value[0])


# Transactions


def flat(actions, outer=""):
    counts = {True: 0, False: 0}
    for action in actions:
        free = action["context_free"]
        path = f"{outer}{'context_free_actions' if free else 'actions'}[{counts[free]}]"
        counts[free] += 1
        yield path, action
        if isinstance(action["inner"], list):
            yield from flat(action["inner"], path + ".inner.")


def in_hours(hours, now):
    day, second = (now // 86400 + 3) % 7, now % 86400
    for text in hours:
        days, times = text.split(" ")
        first, last = DAYS.index(days[:3]), DAYS.index(days[-3:])
        start, end = (60 * int(time[:2]) + int(time[3:]) for time in times.split("-"))
        if (day - first) % 7 <= (last - first) % 7 and 60 * start <= second < 60 * end:
            return True
    return False


def evaluate(policy, request, history, clock, last, restored, room):
    now = clock if last is None else max(clock, last)
    conditions = policy.get("transaction", {})
    if request["chain"] not in [CHAINS.get(chain, chain) for chain in policy["chains"]]:
        raise Denied("/chains")
    actions = list(flat(request["actions"]))
    if request["identity"]:
        if policy.get("identity", "deny") != "allow":
            raise Denied("/identity")
    else:
        if request["expiration"] - clock > conditions.get("max_expiration_seconds", 1 << 40):
            raise Denied("/transaction/max_expiration_seconds")
        if not actions:
            raise Denied("/rules")
        if len(actions) > conditions.get("max_actions", 1 << 40):
            raise Denied("/transaction/max_actions")
    hours = conditions.get("hours")
    if hours and not (in_hours(hours, clock) and in_hours(hours, now)):
        raise Denied("/transaction/hours")
    if "cosigner" in conditions and conditions["cosigner"]["first"] not in request["signers"]:
        raise Denied("/transaction/cosigner/first")
    if set(policy.get("refuse", [])) & set(request["warnings"]):
        raise Denied("/refuse")
    confirmations = ["always"] if "confirm" in conditions else []
    rolling = [limit for limit in policy.get("limits", []) if limit["per"] != "transaction"]
    if (rolling or hours) and last is not None and clock - last > 25 * 3600:
        confirmations.append("clock")
    if request["identity"]:
        return {"allowed": True, "rules": [], "confirmations": confirmations, "entries": []}

    rules, spent = [], []
    for path, action in actions:
        if action["context_free"] and conditions.get("context_free_actions") != "rules":
            raise Denied("/transaction/context_free_actions", path=path)
        if action["data"] is None:
            rules.append(deciding_blind(policy, action, path))
            refuse_uncounted(policy, action, path)
            continue
        rules.append(deciding(policy, action, path))
        spent += payments(action)
        refuse_hidden(policy, action, path)
        spent += declared(policy, action, path)
    limits = policy.get("limits", [])
    known = any(
        one["transaction"] == request["id"] and one["expiration"] >= now for one in history)
    uses = Uses(limits, room)
    for one in history:
        uses.add(one["token"], one["recipient"], one["amount"], one["count"], one["time"])
    entries = check_limits(limits, known, spent, uses, now, restored)
    return {"allowed": True, "rules": rules, "confirmations": confirmations, "entries": entries}


def main():
    checked = 0
    with open(sys.argv[2], encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            try:
                verdict = evaluate(
                    case["policy"], case["request"], case["history"], case["clock"], case["last"],
                    case["restored"], case["room"])
            except Denied as denied:
                verdict = denied.verdict
            if verdict != case["verdict"]:
                print("expected", json.dumps(verdict), "in", line, end="")
            checked += 1
    print("checked", checked)


if __name__ == "__main__":
    main()
