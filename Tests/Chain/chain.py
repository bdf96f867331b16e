"""All parts of a booted chain, started in order and stopped in reverse order."""

import dataclasses

import boot
from cleos import Cleos
from node import Node
from programs import Programs


@dataclasses.dataclass
class Chain:
    """A booted chain. `key` is (public key, private key) of eosio and the system accounts."""

    programs: Programs
    node: Node
    cleos: Cleos
    key: tuple


def start(stack, eosvault, package, work):
    """Starts and boots a chain in the folder `work`; `stack` stops its programs at the end."""
    programs = Programs(eosvault, package, work)
    cleos = Cleos(programs)
    stack.callback(lambda: cleos.server and cleos.server.stop())
    cleos.start_wallet()
    key = cleos.new_key()
    cleos.take_key(key)
    node = Node(programs, key)
    stack.callback(lambda: node.server and node.server.stop())
    node.start()
    cleos.node_url = node.url
    boot.Boot(node, cleos, key).run()
    return Chain(programs, node, cleos, key)
