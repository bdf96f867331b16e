// What is said beside the data when all went well.

import Sandbox

extension Words {
    // MARK: what was done

    static func madeVault(_ path: String) -> String { "made the vault \(Printable.line(path))" }

    /// - Parameter what: `backup`, or the `vault` that was made of one.
    static func madeCopy(_ what: String, _ path: String, keyCount: Int64) -> String {
        "made the \(what) \(Printable.line(path)) of \(count(keyCount, "key")), verified"
    }

    static func addedSlot(_ number: Int) -> String { "added slot \(number)" }
    static func removedSlot(_ number: Int) -> String { "removed slot \(number)" }
    static func repairedSlot(_ number: Int) -> String { "the damaged copy of slot \(number) was written anew" }
    static let rekeyed = "the vault has a new master key"

    // MARK: what is to be known

    static func laterChanges(_ number: Int64) -> String {
        "\(count(number, "later change")) of the vault, seen on this machine, \(number == 1 ? "is" : "are") not in the backup"
    }

    static let restoredOlder =
        "this machine remembers a newer state of the vault: give --accept-rollback once to use the restored one in its place"

    static func hardLinked(_ name: String, count: Int) -> String {
        """
        \(name): the file has \(count) names (hard links): an unfinished change under another name is not noticed here; copy it to \
        a new file with `cp`, and use the copy
        """
    }

    static let backupNotRecorded =
        "the vault does not record that this backup holds its keys, because its file has several names (hard links)"

    static let notRecorded =
        "NOT RECORDED: the vault can't be written, and its audit log will not tell of this signature"

    /// No PIN was asked for, so which keys those are is the file's word.
    static let signedAlready =
        "every key asked for has signed already, by the vault's unverified word; nothing is changed"

    static let keyFileBesideVault =
        "the key file lies beside the vault: whoever takes the one takes the other; move it to a stick or another disk"

    static func openToOthers(_ path: String, mode: UInt32) -> String {
        """
        \(Printable.line(path)) has mode \(String(mode, radix: 8)): the file system does not support modes, so other users of \
        this machine can read the secret in it while it is mounted
        """
    }

    static func waiting(_ seconds: Int64) -> String {
        "waiting \(count(seconds, "second")), because of wrong tries before"
    }

    static func readableByOthers(_ name: String, mode: UInt32) -> String {
        "\(name): other users can read it (mode \(String(mode, radix: 8))); run `chmod 600` on it"
    }

    static let notLocked = "not all secrets could be locked in memory, and a swap may hold them now; raise `ulimit -l`"

    static let noSandbox =
        "NO SANDBOX: this process can open every file of yours, run programs and reach the network; that is for debugging, and not for your keys"

    /// Not both are there.
    static func weakSandbox(_ support: SandboxSupport) -> String {
        let (what, missing) =
            switch (support.landlockVersion, support.hasSeccomp) {
            case (nil, false):
                (
                    "NO SANDBOX",
                    "seccomp and Landlock, and this process can open every file of yours, run programs and reach the network"
                )
            case (nil, true): ("HALF A SANDBOX", "Landlock, and this process can open every file of yours")
            default: ("HALF A SANDBOX", "seccomp, and this process can make system calls that it does not need")
            }
        return "\(what): the kernel, or what this process runs in, offers no \(missing); see `eosvault doctor`"
    }

    /// - Parameter count: bytes.
    static func hash(_ hash: String, ofRawABI count: Int) -> String {
        "sha256 of the \(Self.count(count, "raw byte")): \(hash)"
    }

    static let noWitness =
        "NOT REMEMBERED: neither XDG_STATE_HOME nor HOME is set, so this machine does not notice an older copy of the vault"

    static func notRemembered(errno: Int32) -> String {
        "what was seen of the vault can't be remembered on this machine: \(systemMessage(errno))"
    }

    /// Said of new keys.
    static func notBackedUp(_ count: Int) -> String {
        "no backup holds \(count == 1 ? "this key" : "these keys") yet; `eosvault backup FILE` makes one"
    }
}
