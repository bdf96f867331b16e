// Signs a transaction with eosvault if it is exactly the payment of an order.
//
// usage: node sign.mjs TRANSACTION ORDER OUTPUT --chain CHAIN --vault FILE --key KEY
//            --pin-file FILE [--eosvault PROGRAM] [--tries NUMBER]
//
// It needs Node 18.11 or newer, and no package. ../README.md explains what it does and how it
// fails.

import { execFile } from "node:child_process";
import {
  closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";

const LONGEST_PAUSE = 30;

/** eosvault failed. Only after Unclear may the vault have recorded a signature. */
class VaultError extends Error {
  status = 1;
}

/** A person declined. With --yes nobody is asked. */
class Declined extends VaultError {
  status = 2;
}

/** This program, a policy or an option refuses the transaction. Don't try again. */
class Refused extends VaultError {
  status = 3;
}

/** An option or an argument is wrong. */
class WrongUsage extends VaultError {
  status = 64;
}

/** No eosvault-agent answers. Only the program eosvault-agent has this status. */
class NoAgent extends VaultError {
  status = 69;
}

/** Another process used the vault for five seconds. Try again. */
class Busy extends VaultError {
  status = 75;
}

/** The PIN is wrong. Don't try again: each failed unlock makes the next one wait. */
class WrongPIN extends VaultError {
  status = 77;
}

/**
 * The vault may have recorded a signature that this program did not get.
 *
 * It is safe to sign the same transaction again: the signature is the same, and a chain runs a
 * transaction once. A new transaction with the same payment could pay twice.
 */
class Unclear extends VaultError {}

const ERRORS = new Map(
  [Declined, Refused, WrongUsage, NoAgent, Busy, WrongPIN].map((each) => [new each().status, each]),
);

/**
 * Runs the program eosvault.
 *
 * The PIN is only in its file. Other users can read the arguments of a process, and each child
 * process inherits the environment.
 */
class Eosvault {
  constructor(program, vault, chain, tries) {
    this.program = program;
    this.options = ["--vault", vault, "--chain", chain, "--json"];
    this.tries = tries;
  }

  /** The review of a transaction, as `eosvault help json` describes it. */
  inspect(transaction) {
    return this.run("inspect", transaction, []);
  }

  /**
   * The signed transaction.
   *
   * --expect refuses all but the reviewed transaction. --refuse signed-before refuses it if the
   * vault signed another transaction with the same actions that can still run.
   */
  sign(transaction, reviewedID, key, pinFile) {
    return this.run("sign", transaction, [
      "--expect", reviewedID, "--key", key, "--pin-file", pinFile,
      "--yes", "--refuse", "signed-before",
    ]);
  }

  /** Runs a command with the transaction at its standard input, again while it is busy. */
  async run(command, transaction, options) {
    let pause = 1;
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.runOnce(command, transaction, options);
      } catch (error) {
        if (!(error instanceof Busy) || tried >= this.tries) throw error;
        printSafely(console.error, `${error.message}; trying again in ${pause} s`);
      }
      await sleep(pause * 1000);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  async runOnce(command, transaction, options) {
    const program = `${this.program} ${command}`;
    const { error, output, errors } = await this.start(
      [command, "-", ...this.options, ...options], transaction);
    // A text such as ENOENT. The exit status is a number, and after a signal the code is null.
    if (typeof error?.code === "string") {
      throw new VaultError(`${this.program} does not start: ${error.code}`);
    }
    const messages = jsonLines(errors);
    for (const { warning } of messages) {
      if (warning) printSafely(console.error, `warning: ${warning}`);
    }
    if (error) throw failure(program, error.code, error.signal, messages);
    try {
      return JSON.parse(output);
    } catch {
      throw new Unclear(`${program} printed no JSON`);
    }
  }

  start(options, input) {
    return new Promise((resolve) => {
      const child = execFile(
        this.program, options, { maxBuffer: Infinity },
        (error, output, errors) => resolve({ error, output, errors }));
      // A command that refuses an option ends before it has read its input.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    });
  }
}

/** The error for an exit status other than 0, or for a signal. */
function failure(program, status, signal, messages) {
  const error = messages.find((message) => message.error)?.error;
  if (!error) {
    const end = signal ? `was killed by ${signal}` : `ended with status ${status}`;
    return new Unclear(`${program} ${end}; try again only with the same transaction`);
  }
  const text = `${error.message} (${error.code})`;
  if (error.code === "commit-uncertain") {
    return new Unclear(`${text}; check the disk, and try again only with the same transaction`);
  }
  return new (ERRORS.get(status) ?? VaultError)(text);
}

/** The JSON objects in the lines of standard error. */
function jsonLines(text) {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) ?? {}];
    } catch {
      return []; // Not a message of eosvault, for example one of the dynamic linker.
    }
  });
}

/** What the transaction must do. */
function readOrder(path) {
  const text = readFileSync(path, "utf8");
  try {
    const order = JSON.parse(text);
    const names = ["contract", "from", "to", "quantity", "memo"];
    if (names.every((name) => name in order)) {
      return Object.fromEntries(names.map((name) => [name, order[name]]));
    }
  } catch {
    // The error below is for both.
  }
  throw new VaultError(`${path}: not an order`);
}

/** Prints what the transaction does, and its warnings. */
function show(review) {
  for (const action of [...review.context_free_actions, ...review.actions]) {
    const data = JSON.stringify(action.data);
    printSafely(console.log, `action     ${action.account}::${action.name} ${data}`);
  }
  for (const { severity, code, message } of review.warnings) {
    printSafely(console.log, `${severity.padEnd(10)} ${code}: ${message}`);
  }
}

/**
 * Refuses a transaction that is not exactly the payment of the order.
 *
 * `sign --yes` refuses dangers and what the policy of the key does not allow. It signs all else,
 * for example a payment to another account.
 */
function decide(review, { contract, ...payment }) {
  const actions = review.actions.map(({ account, name, data }) => ({ account, name, data }));
  const expected = [{ account: contract, name: "transfer", data: payment }];
  if (!isDeepStrictEqual(actions, expected)) {
    throw new Refused("the transaction is not the payment of the order");
  }
  for (const part of ["context_free_actions", "transaction_extensions"]) {
    if (review[part].length > 0) throw new Refused(`the transaction has ${part}`);
  }
  if (review.delay_sec !== 0) throw new Refused("the transaction has delay_sec");
}

/** Writes a file that is complete or absent. */
function writeFile(path, text) {
  const unfinished = `${path}.part`;
  const file = openSync(unfinished, "w");
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, path);
}

/**
 * Prints a line without characters that act on a terminal: eosvault escapes them in JSON, and
 * JSON.parse restores them.
 */
function printSafely(print, text) {
  print("%s", text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?"));
}

function parseArguments() {
  const text = { type: "string" };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        chain: text, vault: text, key: text, "pin-file": text,
        eosvault: { ...text, default: "eosvault" }, tries: { ...text, default: "6" },
      },
    });
    const missing = ["chain", "vault", "key", "pin-file"].find((name) => !values[name]);
    if (missing) throw new Error(`--${missing} is required`);
    if (!/^[0-9]+$/.test(values.tries)) throw new Error("--tries needs a number");
    if (positionals.length !== 3) throw new Error("give TRANSACTION, ORDER and OUTPUT");
    return { ...values, files: positionals };
  } catch (error) {
    throw new WrongUsage(error.message);
  }
}

async function main() {
  const options = parseArguments();
  const [transactionFile, orderFile, outputFile] = options.files;
  const vault = new Eosvault(
    options.eosvault, options.vault, options.chain, Number(options.tries));
  if (existsSync(outputFile)) throw new VaultError(`${outputFile} exists`);
  const order = readOrder(orderFile);
  const transaction = readFileSync(transactionFile);

  const review = await vault.inspect(transaction);
  show(review);
  decide(review, order);
  const signed = await vault.sign(
    transaction, review.transaction_id, options.key, options["pin-file"]);
  writeFile(outputFile, `${JSON.stringify(signed)}\n`);
  for (const signature of signed.signatures) console.log(`signature  ${signature}`);
}

try {
  await main();
} catch (error) {
  printSafely(console.error, `sign.mjs: error: ${error.message}`);
  process.exitCode = error.status ?? 1;
}
