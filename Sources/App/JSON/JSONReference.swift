import HTTPSigning
import KeyVault
import Shell
import Signing

/// The output of a command with `--json`. The command scripts compare every output with it.
struct JSONReference: Sendable {
    /// The command or commands that print this, such as `slot list`.
    let commands: [String]
    let shape: JSONShape

    /// True if there is one object for each item, on one line each.
    var isStream: Bool { commands.contains(where: Self.streams.contains) }

    /// The output of all commands on standard output.
    static let all = [vaults, credentials, logs, transactions, policies, abis, others].flatMap { outputs in
        outputs.map {
            JSONReference(commands: $0.key.parts(separatedBy: ", "), shape: $0.value)
        }
    }

    static let streams: Set = [
        "import --lines", "import --from", "import --dry-run", "credential sign --lines", "log", "log export",
        "sign --lines",
        "inspect --lines",
    ]

    private static let vaults: KeyValuePairs<String, JSONShape> = [
        "create, import, rename, remove, seed create, seed join": EntryDescription.object.shape,
        "import --lines, import --from, import --dry-run": WalletImport.object.shape,
        "seed restore": SeedGroup.Restore.object.shape,
        "list": List.object.shape,
        "show": KeyStatus.shownKey,
        "show --authority": Show.Report.object.shape,
        "init": Init.object.shape,
        "slot list": SlotGroup.List.object.shape,
        "slot add, slot remove, pin change, rekey": JSONOption.changedSlot.shape,
        "status": Status.object.shape,
        "check": Check.object.shape,
        "backup": MadeCopy.backup.shape,
        "restore": Restore.object.shape,
        "backup verify": BackupGroup.Verify.object.shape,
        "rescue": Rescue.object.shape,
    ]

    private static let credentials: KeyValuePairs<String, JSONShape> = [
        "credential add, credential rename, credential rotate, credential remove": EntryDescription.object
            .shape,
        "token list": TokenGroup.List.object.shape,
        "credential list": CredentialGroup.List.object.shape,
        "credential show": JSONShape.object(["unverified": .boolean("false with --verify")])
            .adding(KeyStatus.shownCredential),
        "credential sign --format=json": SignedRequest.shape,
        "credential sign --lines": SignedRequest.line,
    ]

    private static let logs: KeyValuePairs<String, JSONShape> = [
        "log": AuditRecord.shape,
        "log export": AuditRecord.exported,
        "log verify": LogVerify.object.shape,
        "log archive": LogArchive.object.shape,
    ]

    private static let transactions: KeyValuePairs<String, JSONShape> = [
        "inspect": ReviewText.object.shape,
        "chain name, chain remove": NamedChain.object.shape,
        "inspect --lines": BatchQuestion.line.shape,
        "sign --lines": SignedLines.shape,
        "signatures": Signatures.object.shape,
        "request create": RequestCreate.object.shape,
        "request show": RequestShow.object.shape,
        "request verify": VerifiedAnswer.object.shape,
        "msig hash": MsigGroup.Hash.object.shape,
        "msig status": ProposalStatus.object.shape,
    ]

    private static let policies: KeyValuePairs<String, JSONShape> = [
        "policy list": PolicyGroup.List.object.shape,
        "policy show": PolicyGroup.Show.object.shape,
        "policy simulate": SimulationOutcome.object.shape,
        "policy set, policy remove": PolicyChange.object.shape,
        "policy clock-corrected": PolicyGroup.ClockCorrected.object.shape,
        "policy test": PolicyAnswer.object.shape,
    ]

    private static let abis: KeyValuePairs<String, JSONShape> = [
        "abi list": ABIGroup.List.object.shape,
        "abi show": ABIGroup.Show.object.shape,
        "abi pin": ABIChange.object.shape,
        "abi unpin": PinnedABI.object.shape,
        "abi convert": ABIGroup.Convert.object.shape,
    ]

    private static let others: KeyValuePairs<String, JSONShape> = [
        "chains": Chains.object.shape,
        "key convert": KeyGroup.Convert.shape,
        "verify": Verify.object.shape,
        "doctor": Doctor.object.shape,
        "codes": Codes.object.shape,
        "help json": object.shape,
    ]
}
