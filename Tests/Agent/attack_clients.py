"""Clients that hold connections, send slowly, never read, or send what costs most."""

import itertools
import json
import time

import clients
from agent import read_answer
from place import read_all, status_of
from services import request

LIMIT = 256
# The most memory without the key derivation, in MiB.
MEMORY = 64
BODY = 2 << 20


def many_connections(place):
    """256 idle connections; the next ones get answers, and none of them is an error."""
    place.start()
    idle = [place.connect() for _ in range(LIMIT)]
    for _ in range(5):
        place.is_well()
    for connection in idle:
        connection.close()
    place.is_well()


def many_partial(place):
    """256 connections with a part of a request. The next one gets an answer, perhaps 503."""
    place.start()
    whole = request("wallet/list_wallets", "")
    held = [place.connect() for _ in range(LIMIT)]
    for connection in held:
        connection.sendall(whole[:40])
    time.sleep(0.5)
    began = time.monotonic()
    with place.connect() as another:
        another.sendall(whole)
        status, _ = read_answer(another)
        place.check(status in (200, 503), f"the status for connection {LIMIT + 1}: {status}")
    place.check(time.monotonic() - began < 15, "connection 257 is answered at once")
    for connection in held[:50]:
        connection.sendall(whole[40:])
    answered = [status_of(read_all(connection, 0.2)[0]) for connection in held[:50]]
    place.check(all(each in (200, 503, 408) for each in answered), f"the others: {answered}")
    for connection in held:
        connection.close()
    place.is_well()


def slow(place):
    """Headers and bodies of a byte in each half second, and answers that nobody reads."""
    place.start()
    head = b"POST /v1/wallet/list_wallets HTTP/1.1\r\nHost: "
    body = b"POST /v1/wallet/open HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"
    slowly = {"header": (place.connect(), head, 20), "body": (place.connect(), body, 45)}
    deaf = place.connect()
    deaf.setblocking(False)
    written, many = 0, request("wallet/get_public_keys", "") * 1000
    ended, began, checked = {}, time.monotonic(), 0
    for connection, start, _ in slowly.values():
        connection.sendall(start)
    while len(ended) < len(slowly) + 1 and time.monotonic() - began < 60:
        for name, (connection, _, _) in slowly.items():
            if name not in ended and _is_closed(connection, b"a"):
                ended[name] = time.monotonic() - began
        try:
            if "deaf" not in ended:
                written += deaf.send(many[written % len(many):])
        except BlockingIOError:
            pass
        except OSError:
            ended["deaf"] = time.monotonic() - began
        if time.monotonic() - began > 5 * checked:
            checked += 1
            place.is_well(0.5)
        time.sleep(0.5)
    for name, (_, _, most) in slowly.items():
        time_of_end = ended.get(name, 99)
        place.check(time_of_end < most, f"a slow {name} ends before {most} s: {time_of_end}")
    place.check(ended.get("deaf", 99) < 50, f"a client that reads nothing: {ended.get('deaf')}")
    place.check(written < 1 << 22, f"bytes taken from a client that reads nothing: {written}")
    place.is_well()


def _is_closed(connection, data):
    """Sends bytes; true if the agent has closed or answered."""
    try:
        connection.sendall(data)
        connection.setblocking(False)
        connection.recv(4096)
    except BlockingIOError:
        connection.setblocking(True)
        return False
    except OSError:
        pass
    return True


def pipelining(place):
    """Requests without a pause are answered in order; a half-closed connection is answered."""
    place.start()
    numbers = list(itertools.islice(clients.numbers, 100))
    with place.connect() as connection:
        data = b"".join(
            request("wallet/sign_transaction", clients.transaction(each)) for each in numbers)
        connection.sendall(data)
        answers = [_read(connection, rest) for rest in [bytearray()] for _ in numbers]
    found = [answer["ref_block_prefix"] for status, answer in answers if status == 201]
    place.equal(found, numbers, "the order of pipelined answers")
    signing = ("wallet/sign_transaction", clients.transaction(7))
    for path, body in (("wallet/list_wallets", ""), signing):
        with place.connect() as connection:
            connection.sendall(request(path, body))
            connection.shutdown(1)
            data, closed, _ = read_all(connection, 10)
            place.check(status_of(data) in (200, 201), f"a half-closed {path}: {data[:60]}")
            place.check(closed, f"the agent closes after a half-closed {path}")
    place.is_well()


def _read(connection, rest):
    """The next answer; `rest` keeps the bytes after it."""
    while True:
        end = rest.find(b"\r\n\r\n")
        if end >= 0:
            size = int(rest[:end].lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            if len(rest) >= end + 4 + size:
                status, body = int(rest.split(b" ", 2)[1]), json.loads(rest[end + 4:end + 4 + size])
                del rest[:end + 4 + size]
                return status, body
        more = connection.recv(1 << 20)
        if not more:
            raise ConnectionError(f"closed after {bytes(rest)!r}")
        rest += more


def large_bodies(place):
    """Bodies of 2 MiB on nearly all connections at once, each without its last byte."""
    place.start()
    before = place.memory("VmRSS")
    head = f"POST /v1/wallet/sign_transaction HTTP/1.1\r\nContent-Length: {BODY}\r\n\r\n".encode()
    held, sent = [], 0
    body = b'["' + b"a" * (BODY - 3)
    for _ in range(LIMIT - 6):
        connection = place.connect()
        connection.setblocking(False)
        held.append([connection, head + body])
    end = time.monotonic() + 10
    while time.monotonic() < end and any(data for _, data in held):
        moved = 0
        for each in held:
            with _ignoring():
                count = each[0].send(each[1][:1 << 18]) if each[1] else 0
                each[1] = each[1][count:]
                moved += count
        sent += moved
        if not moved:
            time.sleep(0.05)
    peak = place.memory("VmHWM")
    grown = peak - before
    place.check(grown < MEMORY, f"the memory grew by {grown:.1f} MiB, after {sent >> 20} MiB")
    began = time.monotonic()
    with place.connect() as another:
        another.sendall(request("wallet/list_wallets", ""))
        place.check(read_answer(another)[0] in (200, 503), "another client is answered")
    place.check(time.monotonic() - began < 5, "another client is answered at once")
    for connection, _ in held:
        connection.close()
    place.is_well()
    status, _ = place.agent.call("wallet/sign_transaction", '["' + "a" * (BODY - 4) + '"]')
    place.equal(status, 400, "the status of a body of 2 MiB")
    with place.connect() as connection:
        connection.sendall(head.replace(str(BODY).encode(), str(BODY + 1).encode()))
        place.equal(status_of(read_all(connection, 5)[0]), 413, "the status of a body above 2 MiB")
    place.is_well()


class _ignoring:
    """Ignores a full or closed connection."""

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        return kind is not None and issubclass(kind, OSError)


def bombs(place):
    """JSON that costs a careless reader memory or time, and arrays of the wrong size."""
    place.start()
    before, good = place.memory("VmRSS"), clients.transaction(next(clients.numbers))
    deep, empty = 200_000, '{"account":"","name":"","authorization":[],"data":""},'
    bodies = [
        "[" * deep, "[" * deep + "]" * deep, '{"a":' * deep, '[{"a":' * 9999 + "1" + "}]" * 9999,
        "[" + "0," * 900_000 + "0]", "[" + '"",' * 600_000 + '""]',
        '["' + "\\u0000" * 300_000 + '"]',
        "1" * 2_000_000, "[1" + "0" * 1_999_000 + "]", '{"' + "a" * 2_000_000,
        "[1e" + "9" * 999_999 + "]",
        "{" + ",".join(f'"{number}":0' for number in range(120_000)) + "}",
        "[" + "{}," * 650_000 + "{}]",
        good.replace('"actions":[', '"actions":[' + empty * 35_000), good + "]" * 100_000,
        good.replace('["EOS', '["' + '","'.join([clients.KEY[0]] * 30_000) + '","EOS'),
        "[]", "[[],[],[]]",
        "[{},[],\"\"]", good[:-1] + ",1]", "null", "", " " * 2_000_000, "[" + " " * 1_999_998 + "]",
    ]
    for body in bodies:
        for call in ("sign_transaction", "unlock", "import_key", "open"):
            path = f"wallet/{call}"
            began = time.monotonic()
            with place.connect() as connection:
                with _ignoring():
                    connection.sendall(request(path, body))
                data = one_answer(connection)
            status, seconds = status_of(data), time.monotonic() - began
            short = f"{path} {body[:20]!r}… of {len(body)} bytes"
            # The same key twice is one key.
            good = (400, 413, 500, 201) if body.count(clients.KEY[0]) > 2 else (400, 413, 500)
            place.check(status in good, f"{short}: {data[:80]}")
            place.check(seconds < 5, f"{short} took {seconds:.1f} s")
            if path == "wallet/open" and status == 200:
                place.unlock()
    peak = place.memory("VmHWM") - before
    place.check(peak < MEMORY, f"the memory grew by {peak:.1f} MiB")
    place.is_well()


def one_answer(connection):
    """The bytes of one answer, or of what came before the agent closed."""
    data = b""
    while not (b"\r\n\r\n" in data and clients.is_whole(data)):
        try:
            more = connection.recv(1 << 20)
        except OSError:
            break
        if not more:
            break
        data += more
    return data
