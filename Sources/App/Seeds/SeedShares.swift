import ArgumentParser
import Codecs
import Hardening
import JSON
import KeyVault
import SecureMemory
import Seeds
import Shell

extension SeedGroup {
    struct Split: ReleasingCommand, PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "split", abstract: "Split a seed or the recovery phrase into shares for paper.",
            discussion: """
                With --shares 3-of-5, the command makes five shares (SLIP-39). Any three of them restore the seed, and \
                two disclose nothing about it. The command shows one share after the other at the terminal, and asks \
                for three words of each. Give the shares to different people, or keep them in different places. \
                `eosvault seed join` restores the seed.

                Without SEED, --recovery splits the recovery phrase that opens the vault. Its shares are useless \
                without the vault's file.

                The shares of a seed contain the bytes that its words encode (of a seed without words, the BIP-32 \
                seed: `seed join` then needs --master-secret). A Trezor uses these bytes as a BIP-32 \
                seed, so it makes other keys from the same shares. The audit log records a split seed as an export. If \
                the vault has policies, the command needs the second unlock method of each.

                  eosvault seed split family --shares 3-of-5
                  eosvault seed split --recovery --shares 2-of-3
                """)

        @Argument(
            help: ArgumentHelp("The label or the name of a seed.", valueName: "seed"), completion: .keys)
        var seed: String?
        @Option(
            help: ArgumentHelp(
                "The number of shares that restore it, and of all shares: 3-of-5.", valueName: "k-of-n"))
        var shares: ParsedArgument<ShareCount>
        @OptionGroup var release: ReleaseOptions
        @OptionGroup var common: MessageOptions

        func validate() throws {
            if seed == nil, !method.recovery {
                throw ValidationError("give a seed, or --recovery to split the recovery phrase")
            }
            if seed == nil, second.source != nil {
                throw ValidationError("the recovery phrase has no second unlock method: omit its option")
            }
        }

        var requiredAccess: FileAccess { release.fileAccess + .terminal }

        func run() throws {
            let count = try parsing("--shares") { try shares.value }
            let ceremony = try WordCeremony(for: .newShare)
            let file = try vault.open()
            let form = try seed.map { try storedForm(of: $0, in: file) }
            let set = try seed.map { try split($0, count, in: file) } ?? splitPhrase(count, in: file)
            for number in 1...count.members {
                try ceremony.confirm(
                    set.wordCount, .share(number, of: count, isOfSeed: seed != nil),
                    orThrow: .sharesNotConfirmed,
                    lendingWords: { try set.withWords(ofShare: number, $0) },
                    isWord: { try set.isWord($0, ofShare: number, equalTo: $1) })
            }
            Messages.note(Words.splitInto(count, form, words: set.wordCount))
        }

        /// Not verified, and only for the note.
        private func storedForm(of seed: String, in file: Vault) throws -> StoredSeed.Form {
            let entry = try placed(at: vault.name()) { try file.unverifiedEntry(seed) }
            return entry?.seed?.form ?? .words
        }

        /// The export is recorded in the audit log, and committed, before a share is shown.
        private func split(_ seed: String, _ count: ShareCount, in file: Vault) throws -> ShareSet {
            let name = try SeedArgument(seed).expectKnown(in: file, vault.name())
            let policies = try placed(at: vault.name()) { try second.required(for: name, in: file) }
            let unlocked = try method.unlock(file, beforeTyping: second.typed(for: policies) ?? .newShare)
            let proof = try second.proveRelease(of: name, in: unlocked)
            return try unlocked.releasedSeed(name, proof) { _, secret in
                try ShareSet.split(secret, of: count.members, threshold: count.threshold)
            }
        }

        private func splitPhrase(_ count: ShareCount, in file: Vault) throws -> ShareSet {
            let opened = try method.open(file, beforeTyping: .newShare)
            guard case .recovery(let phrase) = opened.method else { throw VaultError.input(.notASeed) }
            return try phrase.withBits {
                try ShareSet.split($0, of: count.members, threshold: count.threshold)
            }
        }
    }

    struct Join: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Restore a seed or the recovery phrase from shares.",
            discussion: """
                The command asks for one share after the other at the terminal, until there are enough. It reports a \
                wrong word, a share of another set, and a share that was given before, before it asks for the next one.

                The seed is stored with the label NAME. Its name, which the command prints, contains its first public \
                key: compare it with a key that you know. With --master-secret, the shares contain a BIP-32 seed, as \
                the shares of a Trezor do; such a seed has no words. Without NAME, --recovery-phrase joins the shares \
                of the vault's recovery phrase, checks that it opens the vault, and shows its words once.

                  eosvault seed join family
                  eosvault seed join --recovery-phrase
                """)

        @Argument(help: ArgumentHelp("The label of the new seed.", valueName: "name"))
        var name: String?
        @Option(
            help: ArgumentHelp(
                "The number of words in a share: 20, 23, 27, 30, 33 or 59.", valueName: "number"))
        var words = 33
        @Flag(help: "The shares contain a BIP-32 seed, as the shares of a Trezor do.")
        var masterSecret = false
        @Flag(
            help: "The shares have a passphrase: ask for it. A wrong one gives another seed without an error."
        )
        var passphrase = false
        @Flag(help: "Join the shares of the vault's recovery phrase, and show its words.")
        var recoveryPhrase = false
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard (name == nil) == recoveryPhrase else {
                throw ValidationError("give a name for the seed, or --recovery-phrase")
            }
            guard ShareJoin.isWordCount(words) else {
                throw ValidationError("no share has \(words) words: --words is 20, 23, 27, 30, 33 or 59")
            }
            guard masterSecret || Self.wordCountsOfPhrases.contains(words) else {
                throw ValidationError("a share of \(words) words is of a BIP-32 seed: give --master-secret")
            }
            guard recoveryPhrase else { return }
            if masterSecret || passphrase || words != 33 {
                throw ValidationError(
                    "the shares of a recovery phrase have 33 words, and no other options: omit them")
            }
            if !method.inputs.isEmpty || method.recovery || method.device.isGiven {
                throw ValidationError("the shares open the vault: omit the other unlock methods")
            }
        }

        /// The words in shares of 16, 20, 24, 28 and 32 bytes, which are the entropy of words.
        private static let wordCountsOfPhrases = [20, 23, 27, 30, 33]

        var requiredAccess: FileAccess { unlocking.fileAccess + .terminal }

        func run() throws {
            let label = try name.map { text in try parsing("the name") { try Label(text) } }
            _ = try Terminal.open(for: .share)
            let file = try vault.open()
            guard let label else { return try joinPhrase(of: file) }
            try SeedLabel.Parsed(label: label).expectFree(in: file, vault.name())
            let made = try add(label, to: file)
            try made.printSeed(common.json)
        }

        /// The shares and the vault's keys are wiped when this returns.
        private func add(_ label: Label, to file: Vault) throws -> EntryDescription {
            let unlocked = try method.unlock(file, beforeTyping: .share)
            let seed = StoredSeed(form: masterSecret ? .masterSecret : .words)
            return try unlocked.insert(seed, secret: join(), label: label, origin: .imported)
        }

        /// Asks for shares until they are enough.
        private func join() throws -> SecureBytes {
            var join = ShareJoin()
            var number = 1
            while !join.status.isComplete {
                let questions = try WordQuestions(.share(words, number), for: .share)
                try questions.ask { typed in try join.add(typed: typed) }
                Messages.note(Words.shareStatus(join.status))
                number += 1
            }
            guard passphrase else { return try join.secret(passphrase: nil) }
            let terminal = try Terminal.open(for: .share)
            let text: SecureBytes? = try terminal.readSecret(
                "passphrase of the shares: ", limit: SeedPhrase.maximumTextCount)
            return try join.secret(passphrase: text)
        }

        private func joinPhrase(of file: Vault) throws {
            let terminal = try Terminal.open(for: .share)
            let kinds = try file.unverifiedSlots().slots.map(\.kind)
            guard kinds.contains(.recovery) else { throw VaultError.input(.noSlot(.recovery, others: kinds)) }
            let phrase = try RecoveryPhrase(bits: join())
            let method = UnlockMethod.recovery(phrase)
            _ = try UnlockMethodOptions.unlock(file, by: method, hiding: nil)
            guard case .recovery(let phrase) = method else { return }
            try phrase.withWords { words in
                try terminal.showSecret(
                    PhraseGrid.lay(words, count: RecoveryPhrase.wordCount), below: Words.joinedPhrase,
                    prompt: Words.afterJoinedPhrase)
            }
        }
    }
}

/// How many shares are made, and how many of them restore the secret: `3-of-5`.
struct ShareCount: ArgumentValue {
    let threshold: Int
    let members: Int

    static func parsed(_ text: String) throws -> ShareCount {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let threshold = Int(parts[0]), let members = Int(parts[2]),
            text == "\(threshold)-of-\(members)", (1...16).contains(members),
            (members == 1 ? 1...1 : 2...members).contains(threshold)
        else { throw CommandError.shareCount }
        return ShareCount(threshold: threshold, members: members)
    }
}

/// A seed of the vault, given by its label or its name.
struct SeedArgument {
    let text: String

    init(_ text: String) { self.text = text }

    /// Refuses what is not a seed in the file, before the PIN is read. The file is verified later.
    func expectKnown(in vault: Vault, _ vaultName: String) throws -> EntryName {
        guard let entry = try placed(at: vaultName, { try vault.unverifiedEntry(text) }) else {
            throw CommandError.unknownSeed(text, vault: vaultName)
        }
        guard entry.kind == .seed else { throw VaultError.input(.notASeed) }
        return entry.name
    }
}

extension UnlockedVault {
    /// Lends the secret of a seed that leaves the vault. The audit log records an export, which is
    /// committed before this returns.
    borrowing func releasedSeed<Result: ~Copyable>(
        _ name: EntryName, _ proof: SecondUnlock,
        _ body: (StoredSeed, borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        var result: Result?
        do throws(WalletImport.Failure) {
            try transaction { (transaction: inout VaultTransaction) throws(WalletImport.Failure) in
                let entry = try converting(WalletImport.Failure.vault, transaction.entry(named: name))
                try converting(
                    WalletImport.Failure.vault, transaction.expectRelease(of: name, proof: proof))
                result = try transaction.withSeed(entry) { seed, secret throws(WalletImport.Failure) in
                    do { return try body(seed, secret) } catch { throw .input(error) }
                }
                try converting(WalletImport.Failure.vault, transaction.record(.exported(key: name)))
            }
        } catch {
            switch error {
            case .vault(let error): throw error
            case .input(let error): throw error
            }
        }
        guard let result = result.take() else { throw VaultError.input(.noSuchKey) }
        return result
    }
}
