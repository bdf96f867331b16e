import Shell

extension ErrorCode {
    /// Advice that mentions a command or an option of eosvault; nil for codes without it.
    var eosvaultHint: String? {
        switch self {
        case .noSlot:
            "--keyfile FILE gives a key file, --recovery asks for the recovery phrase; see `eosvault slot list`"
        case .noSuchSlot: "see `eosvault slot list`"
        case .lastSlot: "add another slot first, with `eosvault slot add`"
        case .slotsFull: "remove one first, with `eosvault slot remove`"
        case .otherSlots:
            "give --drop-other-slots to remove the other slots; add them again later with `eosvault slot add`"
        case .secondMethodNeeded:
            "type the second unlock method of the policy at a terminal, or give --second-file or --second-fd; if two "
                + "policies limit the key, both of their methods are required, at a terminal"
        case .keyFile: "give the file that `init --keyfile` or `slot add --new-keyfile` made"
        case .kdfCost:
            "omit --kdf-passes and --kdf-memory: the defaults suit most machines; fewer than 2 passes, or less than "
                + "64 MiB, require --insecure-kdf, which is only for tests"
        case .noSuchKey, .severalKeys, .keyExists: "see `eosvault list`"
        case .noSuchCredential: "see `eosvault credential list`"
        case .neverBackedUp:
            "make a backup with `eosvault backup FILE`, or give --never-backed-up to remove it anyway"
        case .noPinnedABI: "see `eosvault abi list`"
        case .pinnedABIsFull: "remove one first, with `eosvault abi unpin`"
        case .noPolicy: "see `eosvault policy list`; --all names the policy of all keys"
        case .noVault:
            "make a vault with `eosvault init`, make one from a backup with `eosvault restore FILE`, "
                + "or name your vault with --vault"
        case .vaultFile:
            "name a file of the right kind; to use the vault, give its path with --vault"
        case .notAVault: "name the vault's file with --vault"
        case .unfinishedChange: "run `eosvault list --vault FILE`: it undoes the interrupted change"
        case .vaultFull: "move the audit log to a file, with `eosvault log archive FILE`"
        case .damaged: Words.restoreHint
        case .rolledBack:
            "if this is a backup, use `eosvault backup verify FILE`; "
                + "to use this older copy, give --accept-rollback once: it lacks the keys that were added later"
        case .witnessUnreadable:
            "make sure that only you can write in $XDG_STATE_HOME/eosvault; "
                + "if this vault is the newest copy, give --accept-rollback once"
        case .nothingRescued: "keep the file unchanged, and restore a backup with `eosvault restore`"
        case .wrongArchive:
            "give archives of this vault that `eosvault log archive` made, without gaps; `eosvault check` lists them"
        case .archiveDamaged:
            "use another copy of the file; a vault that was restored from a backup from before `eosvault rekey` "
                + "opens no later archive"
        case .nothingToArchive: "`eosvault check` lists the archives of the earlier records"
        case .commitUncertain: "run `eosvault list` to see whether the change is there, and check the disk for errors"
        case .noHome: "name the vault with --vault"
        case .noAnswer: "nothing was done; in a script, give --pin-file and --yes"
        case .usage: "run `eosvault help`, or the command with --help"
        case .secretArgument:
            "delete it from your shell's history; give private keys at the prompt, in a file or on standard input"
        case .unknownChain: "give a name that `eosvault chains` lists, or a chain id of 64 hex digits"
        case .noChain: "give --chain"
        case .policy:
            "use the newer version of eosvault that wrote the policy; "
                + "if you set no policy, run `eosvault check`"
        case .invalidPolicy: "correct the file at this place; `eosvault policy schema` describes each member"
        case .policyLog: "correct the file at this place; see `eosvault help policy simulate`"
        case .policyABI: "pin the contract's ABI with `eosvault abi pin`; a policy allows neither --abi nor --blind"
        case .policyProposal:
            "give the proposal's transaction with --proposal, and state its hash in the approval; "
                + "`eosvault msig hash` prints the hash"
        case .policyConfirm: "sign each transaction at a terminal, without --yes and --lines"
        case .policyReadOnly:
            "make the vault's folder and file system writable; --no-record does not sign with a key that has a policy"
        case .invalidHTTPRequest:
            "check the method, the URL, the body and the options; `eosvault help credential sign` describes them"
        case .outsidePrefix: "check the URL; `eosvault credential show` prints the prefix"
        case .invalidProfile: "`eosvault help credential add` lists the profiles and their parameters"
        case .plainHTTP: "use https, or give --insecure-http"
        case .timeOutsideWindow: "set the clock, or omit --time and the parameter timestamp"
        case .bodyFile: "give --body-out with a new file"
        case .wrongFields:
            "use exactly the fields of the ABI for action data, of `cleos … -d -s -j -x 3600` for a transaction, "
                + "of `cleos get abi` for an ABI"
        case .invalidJSON:
            "make it again with the tool that wrote it; `cleos … -d -s -j -x 3600` prints transactions, "
                + "`cleos get abi` prints ABIs"
        case .invalidABI:
            "nodes can't use this ABI either: ask the contract's author, "
                + "or blind-sign the action with --blind ACCOUNT::ACTION"
        case .unknownToken: "check --chain and the token, or name the token's contract with --token-contract ACCOUNT"
        case .noABI:
            "get the ABI with `cleos get abi ACCOUNT` and give --abi ACCOUNT=FILE, or pin it with `eosvault abi pin`; "
                + "if the account has no such action, the contract may have been updated"
        case .abiDiffers:
            "omit --abi; if the contract differs on this chain, compare the SHA-256 of the given ABI with several "
                + "nodes, then pin it with `eosvault abi pin`, or give --abi-override ACCOUNT"
        case .invalidAmount, .invalidAction: "run `eosvault help build`, or add --help to the command"
        case .export: "run the command at a terminal, or give -o FILE; --force allows it"
        case .developmentKey: "give --force to import it for tests; never use it for an account of value"
        default: nil
        }
    }
}

extension Words {
    static let restoreHint =
        "nothing was changed; run `eosvault check` to list the faults, `eosvault restore` to use a backup, "
        + "`eosvault rescue` to recover the intact keys and credentials"
}
