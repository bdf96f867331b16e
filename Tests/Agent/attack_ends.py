"""Clients and agents that end at any moment, repeated requests, and the lock under load."""

import json
import multiprocessing
import os
import random
import signal
import socket
import time

import clients
from place import status_of
from services import request

_context = multiprocessing.get_context("fork")


def dying_clients(place):
    """Clients that close after each part of a request, and while the agent works for them."""
    place.start()
    whole = request("wallet/sign_transaction", clients.transaction(next(clients.numbers)))
    for size in list(range(0, len(whole), 37)) + [len(whole) - 1]:
        with place.connect() as connection:
            connection.sendall(whole[:size])
    for _ in range(100):
        with place.connect() as connection:
            data = request("wallet/sign_transaction", clients.transaction(next(clients.numbers)))
            connection.sendall(data)
            time.sleep(random.random() * 0.01)
    unlock, create = ("wallet/unlock", ["default", "wrong"]), ("wallet/create_key", ["default", ""])
    for path, body in (unlock, create):
        with place.connect() as connection:
            connection.sendall(request(path, body))
    place.is_well(5)
    descriptors = len(os.listdir(f"/proc/{place.agent.server.process.pid}/fd"))
    place.check(descriptors < 40, f"open descriptors after all clients are gone: {descriptors}")


def repeated(place):
    """The same request from several clients at once, and again: one record, equal answers."""
    place.start()
    data = request("wallet/sign_transaction", clients.transaction(next(clients.numbers)))
    connections = [place.connect() for _ in range(16)]
    for connection in connections:
        connection.sendall(data)
    answers = [_one(connection) for connection in connections]
    for _ in range(4):
        with place.connect() as connection:
            connection.sendall(data)
            answers.append(_one(connection))
    place.equal({status_of(answer) for answer in answers}, {201}, "the statuses")
    bodies = {answer.split(b"\r\n\r\n", 1)[1] for answer in answers}
    place.equal(len(bodies), 1, "the different answers")
    place.equal(len(place.records()), 1, "the records of one request that was sent 20 times")


def _one(connection):
    data = b""
    while not (b"\r\n\r\n" in data and clients.is_whole(data)):
        more = connection.recv(65536)
        if not more:
            break
        data += more
    return data


def _sign_until_closed(path, numbers, results):
    """A process that signs until the agent is gone; returns the answered transaction numbers."""
    answered = []
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
        for number in numbers:
            connection.sendall(request("wallet/sign_transaction", clients.transaction(number)))
            data = _one(connection)
            status = status_of(data)
            if not clients.is_whole(data):
                break
            answered.append((number, status, data.split(b"\r\n\r\n", 1)[1]))
    except OSError:
        pass
    results.put(answered)


def under_load(place, count, act):
    """Runs `act` while clients sign; returns what they got, as (number, status, body)."""
    results, processes = _context.Queue(), []
    for _ in range(count):
        numbers = [next(clients.numbers) for _ in range(3000)]
        arguments = (str(place.agent.socket), numbers, results)
        processes.append(_context.Process(target=_sign_until_closed, args=arguments))
    for process in processes:
        process.start()
    time.sleep(1)
    act()
    found = [each for _ in processes for each in results.get(timeout=120)]
    for process in processes:
        process.join()
    return found


def killed(place):
    """SIGKILL at any moment: every answered signature is in the log, and a new agent starts."""
    place.start()
    answered = []
    for _ in range(5):

        def kill():
            time.sleep(random.random())
            place.agent.server.process.send_signal(signal.SIGKILL)
            place.agent.server.process.wait()

        found = under_load(place, 8, kill)
        answered += [body for _, status, body in found if status == 201]
        place.check(all(status == 201 for _, status, _ in found), "each answer is a signature")
        place.start()
        place.is_well()
    place.check(len(answered) > 20, f"signatures that were answered: {len(answered)}")
    identifiers = [clients.identifier(json.loads(body)) for body in answered]
    place.check_log(identifiers, exact=False)


def lock_under_load(place):
    """`lock` during full load: at once, and nothing is signed after its answer."""
    place.start()
    times = {}

    def lock():
        began = time.monotonic()
        place.equal(place.agent.call("wallet/lock", '"default"'), (200, {}), "the answer of lock")
        times["lock"] = time.monotonic() - began
        place.equal(place.agent.call("wallet/list_wallets"), (200, ["default"]), "the wallets")
        times["records"] = len(place.records())
        time.sleep(1)
        place.equal(len(place.records()), times["records"], "the records after the lock")
        place.agent.server.process.send_signal(signal.SIGKILL)

    found = under_load(place, 8, lock)
    place.check(times["lock"] < 0.5, f"lock was answered after {times['lock']:.3f} s")
    codes = {status for _, status, _ in found}
    place.equal(codes, {201, 500}, "the statuses before and after the lock")
    errors = [body for _, status, body in found if status == 500]
    others = [body for body in errors if b'"code":3120003' not in body]
    place.check(not others, f"{len(others)} other errors after the lock: {others[:1]}")
    answered = [clients.identifier(json.loads(body)) for _, status, body in found if status == 201]
    place.check_log(answered, exact=False)


def time_is_over(place):
    """The vault locks itself; readers don't extend its time, and signatures do."""
    place.start("--ttl", "3s")
    began = time.monotonic()
    while time.monotonic() - began < 20:
        if place.agent.call("wallet/list_wallets")[1] != ["default *"]:
            break
        place.agent.call("wallet/get_public_keys")
        time.sleep(0.05)
    seconds = time.monotonic() - began
    place.check(2.5 < seconds < 5, f"the vault locked itself after {seconds:.1f} s")
    place.unlock()
    for _ in range(8):
        time.sleep(0.7)
        place.equal(place.sign()[0], 201, "the status of a signature in time")
    place.agent.server.process.send_signal(signal.SIGUSR1)
    time.sleep(0.5)
    listed = place.agent.call("wallet/list_wallets")
    place.equal(listed, (200, ["default"]), "the wallets after SIGUSR1")
