"""Values of decoded data, and the tests of fields, for the evaluator."""
import re


def text_of(value):
    """The text that tests compare; None for null, arrays and objects."""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return value if isinstance(value, str) else None


def escape(part):
    return part.replace("~", "~0").replace("/", "~1")


MISSING = object()


def find(data, pointer):
    value = data
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part in map(str, range(len(value))):
            value = value[int(part)]
        else:
            return MISSING
    return value


def integer(text):
    if text is None or not re.fullmatch("-?(0|[1-9][0-9]*)", text) or text == "-0":
        return None
    number = int(text)
    return number if -(1 << 127) <= number < 1 << 127 else None


def asset(text):
    """(amount, precision, code)"""
    match = re.fullmatch(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]{1,18}))? ([A-Z]{1,7})", text or "")
    if not match:
        return None
    decimals = match[3] or ""
    amount = int(match[2] + decimals)
    if amount >= 1 << 62 or (amount == 0 and match[1]):
        return None
    return (-amount if match[1] else amount, len(decimals), match[4])


def number(text):
    """An integer, or an amount with its symbol, as (value, kind)."""
    value = integer(text)
    if value is not None:
        return value, "integer"
    found = asset(text)
    return (found[0], found[1:]) if found else None


def is_name(text):
    return bool(re.fullmatch("[a-z1-5.]{0,11}[a-z1-5]|[a-z1-5.]{12}[a-j1-5]", text or ""))


# Patterns, as regular expressions of Python


def expression(pattern):
    out, at = "", 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*":
            out += ".*"
        elif char == "?":
            out += "."
        elif char == "\\":
            out += re.escape(pattern[at])
            at += 1
        elif char == "[":
            out += "["
            if pattern[at] == "^":
                out += "^"
                at += 1
            while pattern[at] != "]":
                if pattern[at] == "\\":
                    at += 1
                first = pattern[at]
                at += 1
                last = first
                if pattern[at] == "-" and pattern[at + 1] != "]":
                    at += 1
                    if pattern[at] == "\\":
                        at += 1
                    last = pattern[at]
                    at += 1
                out += f"\\U{ord(first):08x}-\\U{ord(last):08x}"
            at += 1
            out += "]"
            if at < len(pattern) and pattern[at] == "+":
                out += "+"
                at += 1
        else:
            out += re.escape(char)
    return out


def matches(pattern, text):
    return len(text.encode()) <= 65536 and bool(re.fullmatch(expression(pattern), text, re.DOTALL))


# Tests of fields

TESTS = {
    "equals": lambda text, other: text == text_of(other),
    "one_of": lambda text, others: text in [text_of(other) for other in others],
    "prefix": lambda text, prefix: text.startswith(prefix),
    "pattern": lambda text, pattern: matches(pattern, text),
    "min": lambda text, bound: in_range(text, bound, lambda value, bound: value >= bound),
    "max": lambda text, bound: in_range(text, bound, lambda value, bound: value <= bound),
}


def in_range(text, bound, compare):
    value, bound = number(text), number(text_of(bound))
    return value is not None and value[1] == bound[1] and compare(value[0], bound[0])


def holds(name, value, operand):
    if isinstance(value, list):
        return all(holds(name, element, operand) for element in value)
    text = None if value is MISSING else text_of(value)
    return text is not None and TESTS[name](text, operand)
