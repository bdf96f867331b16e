"""Signs a transaction with eosvault if it is exactly the payment of an order.

usage: python3 sign.py TRANSACTION ORDER OUTPUT --chain CHAIN --vault FILE --key KEY
           --pin-file FILE [--eosvault PROGRAM] [--tries NUMBER]

It needs no package. ../README.md explains what it does and how it fails.
"""

import argparse
import json
import os
import subprocess
import sys
import time

LONGEST_PAUSE = 30


class VaultError(Exception):
    """eosvault failed. Only after Unclear may the vault have recorded a signature."""

    status = 1


class Declined(VaultError):
    """A person declined. With --yes nobody is asked."""

    status = 2


class Refused(VaultError):
    """This program, a policy or an option refuses the transaction. Don't try again."""

    status = 3


class WrongUsage(VaultError):
    """An option or an argument is wrong."""

    status = 64


class NoAgent(VaultError):
    """No eosvault-agent answers. Only the program eosvault-agent has this status."""

    status = 69


class Busy(VaultError):
    """Another process used the vault for five seconds. Try again."""

    status = 75


class WrongPIN(VaultError):
    """The PIN is wrong. Don't try again: each failed unlock makes the next one wait."""

    status = 77


class Unclear(VaultError):
    """The vault may have recorded a signature that this program did not get.

    It is safe to sign the same transaction again: the signature is the same, and a chain runs a
    transaction once. A new transaction with the same payment could pay twice.
    """


ERRORS = {e.status: e for e in [Declined, Refused, WrongUsage, NoAgent, Busy, WrongPIN]}


class Eosvault:
    """Runs the program eosvault.

    The PIN is only in its file. Other users can read the arguments of a process, and each child
    process inherits the environment.
    """

    def __init__(self, program, vault, chain, tries):
        self.program = program
        self.options = ["--vault", vault, "--chain", chain, "--json"]
        self.tries = tries

    def inspect(self, transaction):
        """The review of a transaction, as `eosvault help json` describes it."""
        return self.run("inspect", transaction)

    def sign(self, transaction, reviewed_id, key, pin_file):
        """The signed transaction.

        --expect refuses all but the reviewed transaction. --refuse signed-before refuses it if the
        vault signed another transaction with the same actions that can still run.
        """
        return self.run(
            "sign", transaction, "--expect", reviewed_id, "--key", key, "--pin-file", pin_file,
            "--yes", "--refuse", "signed-before")

    def run(self, command, transaction, *options):
        """Runs a command with the transaction at its standard input, again while it is busy."""
        pause = 1
        for _ in range(self.tries - 1):
            try:
                return self.run_once(command, transaction, *options)
            except Busy as error:
                print_safely(f"{error}; trying again in {pause} s", sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        return self.run_once(command, transaction, *options)

    def run_once(self, command, transaction, *options):
        arguments = [self.program, command, "-", *self.options, *options]
        try:
            done = subprocess.run(arguments, input=transaction, capture_output=True, check=False)
        except OSError as error:
            raise VaultError(f"{self.program} does not start: {error.strerror}") from error
        messages = json_lines(done.stderr)
        for message in messages:
            if "warning" in message:
                print_safely(f"warning: {message['warning']}", sys.stderr)
        if done.returncode == 0:
            try:
                return json.loads(done.stdout)
            except ValueError as error:
                raise Unclear(f"{self.program} {command} printed no JSON") from error
        raise failure(f"{self.program} {command}", done.returncode, messages)


def failure(name, status, messages):
    """The exception for an exit status other than 0, which is negative after a signal."""
    error = next((message["error"] for message in messages if "error" in message), None)
    if error is None:
        end = f"ended with status {status}" if status > 0 else f"was killed by signal {-status}"
        return Unclear(f"{name} {end}; try again only with the same transaction")
    text = f"{error['message']} ({error['code']})"
    if error["code"] == "commit-uncertain":
        return Unclear(f"{text}; check the disk, and try again only with the same transaction")
    return ERRORS.get(status, VaultError)(text)


def json_lines(data):
    """The JSON objects in the lines of standard error."""
    objects = []
    for line in data.splitlines():
        try:
            objects.append(json.loads(line))
        except ValueError:
            pass  # Not a message of eosvault, for example one of the dynamic linker.
    return [each for each in objects if isinstance(each, dict)]


def read_order(path):
    """What the transaction must do."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        order = json.loads(text)
        return {name: order[name] for name in ["contract", "from", "to", "quantity", "memo"]}
    except (ValueError, KeyError, TypeError) as error:
        raise VaultError(f"{path}: not an order") from error


def show(review):
    """Prints what the transaction does, and its warnings."""
    for action in review["context_free_actions"] + review["actions"]:
        data = json.dumps(action["data"], ensure_ascii=False)
        print_safely(f"action     {action['account']}::{action['name']} {data}")
    for warning in review["warnings"]:
        print_safely(f"{warning['severity']:10} {warning['code']}: {warning['message']}")


def decide(review, order):
    """Refuses a transaction that is not exactly the payment of the order.

    `sign --yes` refuses dangers and what the policy of the key does not allow. It signs all else,
    for example a payment to another account.
    """
    actions = [(each["account"], each["name"], each["data"]) for each in review["actions"]]
    payment = {name: value for name, value in order.items() if name != "contract"}
    if actions != [(order["contract"], "transfer", payment)]:
        raise Refused("the transaction is not the payment of the order")
    for part in ["context_free_actions", "transaction_extensions", "delay_sec"]:
        if review[part]:
            raise Refused(f"the transaction has {part}")


def write_file(path, text):
    """Writes a file that is complete or absent, also after a power failure."""
    unfinished = f"{path}.part"
    with open(unfinished, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(unfinished, path)


def print_safely(text, stream=None):
    """Prints a line without characters that act on a terminal.

    eosvault escapes them in JSON, and json.loads restores them.
    """
    print("".join(c if c.isprintable() else "?" for c in text), file=stream, flush=True)


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        # Its own status is 2, which means `declined` here.
        raise WrongUsage(message)


def parse_arguments():
    parser = Arguments(description=__doc__.splitlines()[0])
    parser.add_argument("transaction", help="as cleos -s -d -j or `eosvault build` writes it")
    parser.add_argument("order", help="JSON with contract, from, to, quantity and memo")
    parser.add_argument("output", help="the file for the signed transaction")
    for name in ["chain", "vault", "key", "pin-file"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--eosvault", default="eosvault", help="the program")
    parser.add_argument("--tries", type=int, default=6, help="while the vault is busy")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    vault = Eosvault(arguments.eosvault, arguments.vault, arguments.chain, arguments.tries)
    if os.path.exists(arguments.output):
        raise VaultError(f"{arguments.output} exists")
    order = read_order(arguments.order)
    with open(arguments.transaction, "rb") as file:
        transaction = file.read()

    review = vault.inspect(transaction)
    show(review)
    decide(review, order)
    signed = vault.sign(
        transaction, review["transaction_id"], arguments.key, arguments.pin_file)
    write_file(arguments.output, json.dumps(signed) + "\n")
    for signature in signed["signatures"]:
        print(f"signature  {signature}")


if __name__ == "__main__":
    try:
        main()
    except (VaultError, OSError) as error:
        print_safely(f"sign.py: error: {error}", sys.stderr)
        sys.exit(getattr(error, "status", 1))
