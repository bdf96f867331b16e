"""Random authorities for a real chain."""

from nodeos import MAX_DELAY, level_order, packed_key

WAITS = (1, 2, 3, 60, 3600, MAX_DELAY)
WEIGHTS = (0, 1, 1, 1, 1, 2, 2, 3, 5, 65535)


def random_authority(source, own, foreign, levels):
    """Some of the keys and levels, with waits. In one of eight, parts are in a wrong order."""
    keys = source.sample(own, source.randint(0, 2)) + source.sample(foreign, source.randint(0, 2))
    keys.sort(key=packed_key)
    levels = source.sample(levels, source.randint(0, 2))
    levels.sort(key=level_order)
    waits = sorted(source.sample(WAITS, source.randint(0, 2)))
    odd = source.randrange(40)
    if odd == 0:
        keys.reverse()
    elif odd == 1:
        keys += keys[-1:]
    elif odd == 2:
        levels += levels[-1:]
    elif odd == 3:
        waits += waits[-1:]
    elif odd == 4:
        waits = [0] + waits
    count = len(keys) + len(levels) + len(waits)
    weights = [source.choice(WEIGHTS) for _ in range(count)]
    total = sum(weights)
    threshold = source.choice([1, 1, 2, 2, 3, 4, total, total, total // 2, total + 1, 0])
    following = iter(weights)
    accounts = [
        {"permission": dict(zip(("actor", "permission"), level.split("@")))} for level in levels
    ]
    return {
        "threshold": threshold,
        "keys": [{"key": key, "weight": next(following)} for key in keys],
        "accounts": [account | {"weight": next(following)} for account in accounts],
        "waits": [{"wait_sec": wait, "weight": next(following)} for wait in waits],
    }
