"""Clients that sign as fast as they can, or at a given rate: one process for each.

All requests of a run are prepared before its time begins, and no two of them are equal. A client
sends the next request when it has the whole answer.
"""

import dataclasses
import datetime
import hashlib
import itertools
import multiprocessing
import os
import re
import socket
import struct
import time

from services import CHAIN, KEY, request

# alice pays bob 1.0000 EOS; the memo is `hello`.
_DATA = "0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f"
numbers = itertools.count(1)
_context = multiprocessing.get_context("fork")


def transaction(number):
    """The body of a request: a transfer that differs from all others by its reference block."""
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=2)
    action = '{"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice",'
    action += f'"permission":"active"}}],"data":"{_DATA}"}}'
    return (
        f'[{{"expiration":"{later:%Y-%m-%dT%H:%M:%S}","ref_block_num":1000,'
        f'"ref_block_prefix":{number},"max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,'
        f'"context_free_actions":[],"actions":[{action}],"transaction_extensions":[],'
        f'"signatures":[],"context_free_data":[]}},["{KEY[0]}"],"{CHAIN}"]'
    )


@dataclasses.dataclass
class Result:
    """What all clients of a run measured together."""

    seconds: float
    latencies: list
    failures: list
    # Processor time of all clients.
    processor: float

    @property
    def rate(self):
        """Signatures in a second."""
        return len(self.latencies) / self.seconds

    def latency(self, share):
        """The latency in milliseconds that this share of the requests does not exceed."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


def run(path, clients, seconds, most, rate=None):
    """Runs clients for some seconds; each prepares `most` requests.

    With `rate`, all clients together send so many requests in a second, at fixed times. The latency
    then counts from the time at which the request was due.
    """
    ready, go = _context.Barrier(clients + 1), _context.Value("d", 0)
    results = _context.Queue()
    processes = []
    for place in range(clients):
        own = [next(numbers) for _ in range(most)]
        pace = None if rate is None else (clients / rate, place / rate)
        arguments = (path, own, seconds, pace, ready, go, results)
        processes.append(_context.Process(target=_client, args=arguments))
    for process in processes:
        process.start()
    ready.wait()
    go.value = time.perf_counter() + 0.05
    ready.wait()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return Result(
        max(each[0] for each in found), [value for each in found for value in each[1]],
        [text for each in found for text in each[2]], sum(each[3] for each in found),
    )


def _client(path, numbers, seconds, pace, ready, go, results):
    requests = [request("wallet/sign_transaction", transaction(number)) for number in numbers]
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    ready.wait()
    ready.wait()
    began = go.value
    time.sleep(max(0, began - time.perf_counter()))
    before = os.times()
    latencies, failures = _send(connection, requests, began, seconds, pace)
    ended, after = time.perf_counter(), os.times()
    used = after.user - before.user + after.system - before.system
    results.put((ended - began, latencies, failures, used))


def _send(connection, requests, began, seconds, pace):
    latencies, failures = [], []
    clock, send, receive = time.perf_counter, connection.sendall, connection.recv
    end = began + seconds
    due = clock()
    for place, data in enumerate(requests):
        if pace:
            due = began + pace[1] + place * pace[0]
            time.sleep(max(0, due - clock()))
        else:
            due = clock()
        if due >= end:
            break
        send(data)
        answer = receive(65536)
        while not is_whole(answer):
            more = receive(65536)
            if not more:
                failures.append("the connection was closed")
                return latencies, failures
            answer += more
        latencies.append(clock() - due)
        if not answer.startswith(b"HTTP/1.1 201"):
            failures.append(answer[-300:].decode(errors="replace"))
    return latencies, failures


_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


def is_whole(answer):
    """True if the bytes are at least one answer."""
    place = answer.find(b"\r\n\r\n")
    if place < 0:
        return False
    return len(answer) >= place + 4 + int(_LENGTH.search(answer).group(1))


def identifier(found):
    """The transaction id of an answer, computed without eosvault."""
    later = datetime.datetime.fromisoformat(found["expiration"] + "+00:00")
    block = found["ref_block_num"], found["ref_block_prefix"]
    data = struct.pack("<IHI", int(later.timestamp()), *block)
    data += bytes([0, 0, 0, 0, 1]) + bytes.fromhex("00a6823403ea3055000000572d3ccdcd01")
    data += bytes.fromhex("0000000000855c3400000000a8ed3232") + bytes([len(_DATA) // 2])
    return hashlib.sha256(data + bytes.fromhex(_DATA) + b"\0").hexdigest()
