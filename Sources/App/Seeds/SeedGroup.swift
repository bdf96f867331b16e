import ArgumentParser
import Hardening
import KeyVault
import Keys
import SecureMemory
import Seeds
import Shell

struct SeedGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Derive keys from a seed, whose words on paper restore them.",
        discussion: """
            A seed is the words of a wallet (BIP-39); a new one has 24. `eosvault create --seed NAME` derives the next \
            key from it, at m/44'/194'/0'/0/0, then at m/44'/194'/0'/0/1, and so on (BIP-32). A Ledger with the same \
            words has the same keys. `list`, `show`, `rename` and `remove` work with seeds too, and \
            `export --to mnemonic` prints the words again.
            """,
        subcommands: [Create.self, Restore.self, Split.self, Join.self])

    struct Create: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Make a seed, and show its 24 words once.",
            discussion: """
                The words are shown at the terminal only. Write them on paper: without this vault, they restore each \
                key that you derive from the seed. Anyone who reads them has all these keys. The command asks for \
                three of the words, and stores nothing until the answers are right.

                With --dice, the command asks for at least \(DiceRolls.needed) rolls of a die, and mixes them with \
                random numbers of the system. The words are at least as random as the better of the two.

                  eosvault seed create family
                """)

        @OptionGroup var label: SeedLabel
        @Flag(help: "Also mix in rolls of a six-sided die, typed at a hidden prompt.")
        var dice = false
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { unlocking.fileAccess + .terminal }

        func run() throws {
            let label = try label.parsed()
            let file = try vault.open()
            try label.expectFree(in: file, vault.name())
            let ceremony = try WordCeremony(for: .newSeedWords)
            let made = try make(label.label, in: file, ceremony)
            try made.printSeed(json)
        }

        /// The words and the vault's keys are wiped when this returns.
        private func make(
            _ label: Label, in file: Vault, _ ceremony: borrowing WordCeremony
        ) throws -> EntryDescription {
            let unlocked = try method.unlock(file, beforeTyping: .newSeedWords)
            let phrase = dice ? try SeedPhrase.random(mixing: DiceQuestions().rolls()) : try .random()
            try ceremony.confirm(
                phrase.wordCount, .seed, lendingWords: { try phrase.withWords($0) },
                isWord: { try phrase.isWord($0, equalTo: $1) })
            return try unlocked.insert(
                StoredSeed(form: .words), secret: phrase.entropy(), label: label, origin: .created)
        }
    }

    struct Restore: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Store a seed from its words, and find the keys that were used.",
            discussion: """
                The command asks for the words at the terminal. The first four letters of a word are enough. A seed of \
                the vault has no passphrase (BIP-39); for words with one, use `eosvault import --from mnemonic`.

                --find reads a list of public keys, one on each line, such as the keys of your accounts. The command \
                tries \(PublicKeyList.searchedIndices) indices of each path that wallets use, and adds the keys that \
                it finds to the vault. It prints each key of the list with its path, or with `not found`. \
                `eosvault create --seed` then continues after the highest index that was found.

                  eosvault seed restore family
                  eosvault seed restore family --words 12 --find public-keys.txt
                """)

        @OptionGroup var label: SeedLabel
        @OptionGroup var words: SeedWordOptions
        @Option(
            help: ArgumentHelp(
                "Search for the public keys in this file, one on each line.", valueName: "file"))
        var find: InputFile?
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try ([InputFile](given: find) + words.inputs).refuseSharedInput(with: method.inputs)
            try [InputFile](given: find).refuseSharedInput(with: words.inputs)
        }

        var requiredAccess: FileAccess {
            unlocking.fileAccess + words.fileAccess + (find?.fileAccess ?? .none)
        }

        func run() throws {
            let label = try label.parsed()
            let wanted = try find.map { try PublicKeyList(reading: $0) }
            try words.expectTerminal()
            let file = try vault.open()
            try label.expectFree(in: file, vault.name())
            let (seed, found) = try restore(label.label, wanted, in: file)
            guard let wanted else { return try seed.printSeed(json) }
            try Self.report(seed, wanted, found, json)
        }

        /// The words and the vault's keys are wiped when this returns.
        private func restore(
            _ label: Label, _ wanted: PublicKeyList?, in file: Vault
        ) throws -> (EntryDescription, [VaultTransaction.FoundKey]) {
            let unlocked = try method.unlock(file, beforeTyping: words.typed)
            let phrase = try words.read()
            let paths = try wanted.map { try $0.search(SeedKeys(seed: phrase.seed(passphrase: nil))) } ?? []
            let seed = StoredSeed(form: .words, isOnPaper: words.wordsFile == nil)
            return try unlocked.insert(
                seed, secret: phrase.entropy(), label: label, origin: .imported, at: paths)
        }
    }
}

/// The label of a new seed.
struct SeedLabel: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The label of the new seed: unique in the vault, 1 to 64 characters.", valueName: "name"))
    var name: String

    func parsed() throws -> Parsed { Parsed(label: try parsing("the name") { try Label(name) }) }

    struct Parsed {
        let label: Label

        /// Refuses a label that an entry has, before the words are shown or typed.
        func expectFree(in file: Vault, _ vaultName: String) throws {
            guard try placed(at: vaultName, { try file.unverifiedEntry(label.text) }) == nil else {
                throw VaultError.input(.labelExists)
            }
        }
    }
}

/// The words of a seed, typed at the terminal or read from a file.
struct SeedWordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number of typed words: 12, 15, 18, 21 or 24 (default: 24).", valueName: "number"))
    var words: Int?

    @Option(
        help: ArgumentHelp(
            "Read the words from a file. Then the seed does not count as backed up.", valueName: "path"))
    var wordsFile: InputFile?

    func validate() throws {
        if let words, !SeedPhrase.wordCounts.contains(words) {
            throw ValidationError("--words is 12, 15, 18, 21 or 24")
        }
        if words != nil, wordsFile != nil { throw ValidationError("--words is for typed words: omit it") }
    }

    var inputs: [InputFile] { [InputFile](given: wordsFile) }
    var fileAccess: FileAccess { wordsFile?.fileAccess ?? .terminal }
    /// What is typed at the terminal; nil for a file.
    var typed: TerminalPurpose? { wordsFile == nil ? .seedWords : nil }

    /// Without a terminal, this fails before the program asks for the PIN.
    func expectTerminal() throws { if let typed { _ = try Terminal.open(for: typed) } }

    func read() throws -> SeedPhrase {
        guard let wordsFile else {
            return try WordQuestions(.seed(words ?? 24), for: .seedWords).ask {
                try SeedPhrase(typed: $0)
            }
        }
        return try placed(at: wordsFile.name) { try SeedPhrase.read(from: wordsFile) }
    }
}

extension SeedPhrase {
    static func read(from file: InputFile) throws -> SeedPhrase {
        try SeedPhrase(
            words: file.readSecret(atMost: maximumTextCount, writable: .refusedWhereModesAreStored))
    }
}

extension EntryDescription {
    /// Prints the name of a committed seed, and what to do next.
    func printSeed(_ json: JSONOption) throws {
        try placed(at: "\(name) is in the vault, but standard output") { try print(json) }
        Messages.note(Words.deriveNext(self))
        if seed?.isOnPaper == false { Messages.note(Words.wordsNotOnPaper) }
    }
}

extension UnlockedVault {
    /// Adds a seed, in one transaction.
    borrowing func insert(
        _ seed: StoredSeed, secret: consuming SecureBytes, label: Label, origin: KeyOrigin
    ) throws(VaultError) -> EntryDescription {
        try insert(seed, secret: secret, label: label, origin: origin, at: []).0
    }

    /// Adds a seed and the keys at some paths, in one transaction.
    borrowing func insert(
        _ seed: StoredSeed, secret: consuming SecureBytes, label: Label, origin: KeyOrigin,
        at paths: [DerivationPath]
    ) throws(VaultError) -> (EntryDescription, [VaultTransaction.FoundKey]) {
        var secret: SecureBytes? = consume secret
        let now = Clock.now
        return try transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            guard let secret = secret.take() else { throw .input(.noSuchKey) }
            let entry = try transaction.insert(
                seed, secret: secret, label: label, createdAt: now, origin: origin)
            guard !paths.isEmpty else { return (entry, []) }
            return (entry, try transaction.addKeys(of: entry.name, at: paths, createdAt: now))
        }
    }
}
