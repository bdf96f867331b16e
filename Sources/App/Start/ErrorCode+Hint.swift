import Shell
import Signing
import SigningRequests

/// Advice for errors whose values decide which command or option helps.
func eosvaultHint(for error: any Error) -> String? {
    switch error {
    case let error as SigningError: error.eosvaultHint
    case let refusal as PolicyRefusal: refusal.eosvaultHint
    case let error as RequestError: error.eosvaultHint
    case MergeError.otherTransaction:
        "merge only copies of one transaction; compare them with `eosvault inspect`"
    default: nil
    }
}

extension ErrorCode {
    /// Advice that names a command or an option of eosvault; nil for codes without it.
    var eosvaultHint: String? { Self.hints[self] }

    private static let hints: [ErrorCode: String] = [
        .noSlot:
            "--keyfile FILE gives a key file, --tpm and --fido2 use a device, --recovery asks for the recovery "
            + "phrase; see `eosvault slot list`",
        .noDevice:
            "connect it, or name another device; another unlock method, such as --recovery, opens the vault without "
            + "it",
        .noSuchSlot: "see `eosvault slot list`",
        .lastSlot: "add another slot first, with `eosvault slot add`",
        .slotsFull: "remove one first, with `eosvault slot remove`",
        .otherSlots:
            "give --drop-other-slots to remove the other slots; add them again later with `eosvault slot add`",
        .secondMethodNeeded:
            "type the second unlock method of the policy at a terminal, or give --second-file or --second-fd; if two "
            + "policies limit the key, both of their methods are required, at a terminal",
        .keyFile: "give the file that `init --keyfile` or `slot add --new-keyfile` made",
        .kdfCost:
            "omit --kdf-passes and --kdf-memory: the defaults suit most machines; fewer than 2 passes, or less than "
            + "64 MiB, require --insecure-kdf, which is only for tests",
        .tokenURI: "`eosvault token list` prints the URIs of tokens and keys",
        .keyInToken: "sign with it; only its token can export a key, if at all",
        .tokenModule: "give the absolute path of the vendor's library with --module",
        .tokenProgram: "install eosvault-token in the folder of eosvault",
        .tokenKey: "compare the keys with `eosvault token list`",
        .tokenMechanism: "use another token, or the other curve with --curve",
        .noSuchKey: "see `eosvault list`",
        .severalKeys: "see `eosvault list`",
        .keyExists: "see `eosvault list`",
        .noSuchCredential: "see `eosvault credential list`",
        .noSuchSeed: "see `eosvault list`, or make one with `eosvault seed create`",
        .neverBackedUp:
            "make a backup with `eosvault backup FILE`, or give --never-backed-up to remove it anyway",
        .noPinnedABI: "see `eosvault abi list`",
        .pinnedABIsFull: "remove one first, with `eosvault abi unpin`",
        .noPolicy: "see `eosvault policy list`; --all names the policy of all keys",
        .noVault:
            "make a vault with `eosvault init`, make one from a backup with `eosvault restore FILE`, "
            + "or name your vault with --vault",
        .vaultFile: "name a file of the right kind; to use the vault, give its path with --vault",
        .notAVault: "name the vault's file with --vault",
        .unfinishedChange: "run `eosvault list --vault FILE`: it undoes the interrupted change",
        .vaultFull: "move the audit log to a file, with `eosvault log archive FILE`",
        .damaged: Words.restoreHint,
        .rolledBack:
            "if this is a backup, use `eosvault backup verify FILE`; "
            + "to use this older copy, give --accept-rollback once: it lacks the keys that were added later",
        .witnessUnreadable:
            "make sure that only you can write in $XDG_STATE_HOME/eosvault; "
            + "if this vault is the newest copy, give --accept-rollback once",
        .nothingRescued: "keep the file unchanged, and restore a backup with `eosvault restore`",
        .wrongArchive:
            "give archives of this vault that `eosvault log archive` made, without gaps; `eosvault check` lists them",
        .archiveDamaged:
            "use another copy of the file; a vault that was restored from a backup from before `eosvault rekey` "
            + "opens no later archive",
        .nothingToArchive: "`eosvault check` lists the archives of the earlier records",
        .commitUncertain:
            "run `eosvault list` to see whether the change is there, and check the disk for errors",
        .noHome: "name the vault with --vault",
        .noAnswer: "nothing was done; in a script, give --pin-file and --yes",
        .usage: "run `eosvault help`, or the command with --help",
        .secretArgument:
            "delete it from your shell's history; give private keys at the prompt, in a file or on standard input",
        .unknownChain: "give a name that `eosvault chains` lists, or a chain id of 64 hex digits",
        .noChain: "give --chain",
        .policy:
            "use the newer version of eosvault that wrote the policy; "
            + "if you set no policy, run `eosvault check`",
        .invalidPolicy: "correct the file at this place; `eosvault policy schema` describes each member",
        .policyLog: "correct the file at this place; see `eosvault help policy simulate`",
        .policyABI:
            "pin the contract's ABI with `eosvault abi pin`, or add a rule with `given_abi` or `blind`",
        .policyProposal:
            "give the proposal's transaction with --proposal, and state its hash in the approval; "
            + "`eosvault msig hash` prints the hash",
        .policyConfirm: "sign each transaction at a terminal, without --yes and --lines",
        .policyReadOnly:
            "make the vault's folder and file system writable; --no-record does not sign with a key that has a policy",
        .invalidHTTPRequest:
            "check the method, the URL, the body and the options; `eosvault help credential sign` describes them",
        .outsidePrefix: "check the URL; `eosvault credential show` prints the prefix",
        .invalidProfile: "`eosvault help credential add` lists the profiles and their parameters",
        .plainHTTP: "use https, or give --insecure-http",
        .timeOutsideWindow: "set the clock, or omit --time and the parameter timestamp",
        .bodyFile: "give --body-out with a new file",
        .wrongFields:
            "use exactly the fields of the ABI for action data, of `cleos … -d -s -j -x 3600` for a transaction, "
            + "of `cleos get abi` for an ABI",
        .invalidJSON:
            "make it again with the tool that wrote it; `cleos … -d -s -j -x 3600` prints transactions, "
            + "`cleos get abi` prints ABIs",
        .invalidABI:
            "nodes can't use this ABI either: ask the contract's author, "
            + "or blind-sign the action with --blind ACCOUNT::ACTION",
        .unknownToken:
            "check --chain and the token, or name the token's contract with --token-contract ACCOUNT",
        .noABI:
            "get the ABI with `cleos get abi ACCOUNT` and give --abi ACCOUNT=FILE, or pin it with `eosvault abi pin`; "
            + "if the account has no such action, the contract may have been updated",
        .abiDiffers:
            "omit --abi; if the contract differs on this chain, compare the SHA-256 of the given ABI with several "
            + "nodes, then pin it with `eosvault abi pin`, or give --abi-override ACCOUNT",
        .invalidAmount: "run `eosvault help build`, or add --help to the command",
        .invalidAction: "run `eosvault help build`, or add --help to the command",
        .export: "run the command at a terminal, or give -o FILE; --force allows it",
        .developmentKey: "give --force to import it for tests; never use it for an account of value",
    ]
}

extension Words {
    static let restoreHint =
        "nothing was changed; run `eosvault check` to list the faults, `eosvault restore` to use a backup, "
        + "`eosvault rescue` to recover the intact keys and credentials"
}
