/// What a parser guarantees for every input. A trap would end the process; a law states all other
/// guarantees.
///
/// The fuzz targets try inputs until one breaks the law. `LawsTests` replays the seeds and the
/// inputs that broke a law before.
public protocol Law: SendableMetatype {
    /// The name of the law's fuzz target, corpus and regressions.
    static var name: String { get }
    /// The first inputs: the values in the vectors for this parser.
    static func seeds(_ vectors: Vectors) throws -> [[UInt8]]
    static func check(_ input: [UInt8]) throws(LawBroken)
}

public let allLaws: [any Law.Type] = [
    JSONLaw.self, ABIJSONLaw.self, RawABILaw.self, ABIDecodeLaw.self, ABIEncodeLaw.self, TransactionLaw.self,
    ReviewLaw.self, BuildLaw.self, KeyTextLaw.self, Base58Law.self, ClientDataLaw.self,
    VectorFileLaw.self, SigningRequestLaw.self, WalletAnswerLaw.self, AuditRecordLaw.self,
    AuditArchiveLaw.self, PinnedABILaw.self,
    HistoryRowLaw.self,
    RecoveryPhraseLaw.self, SeedPhraseLaw.self, ShareLaw.self, DerivationPathLaw.self, DiceRollsLaw.self,
    StoredSeedLaw.self,
    ScannedBytesLaw.self, QRCodeLaw.self, URPartLaw.self, URMessageLaw.self,
    RequestURLLaw.self, SigningProfileLaw.self, CredentialLaw.self, RequestLineLaw.self, PictureLaw.self,
    ScannedCodeLaw.self,
    ScanReportLaw.self, WalletRequestLaw.self, LibraryLaw.self,
    TokenURILaw.self, TokenMessageLaw.self, SealedSecretLaw.self, TPMAnswerLaw.self,
    FIDO2CredentialLaw.self, FIDO2AnswerLaw.self, FIDO2PacketLaw.self,
    OtherWalletLaw.self,
    PolicyLaw.self, PolicyVerdictLaw.self, PolicyUseLaw.self, TransactionLogLaw.self,
]

/// The description of a law that an input broke.
public struct LawBroken: Error, CustomStringConvertible {
    public let description: String
}

/// Throws unless a law holds.
func law(_ holds: Bool, _ words: @autoclosure () -> String) throws(LawBroken) {
    guard holds else { throw LawBroken(description: words()) }
}

/// Runs a step that must not be refused.
func must<Value: ~Copyable>(_ words: @autoclosure () -> String, _ step: () throws -> Value) throws(LawBroken)
    -> Value
{
    do { return try step() } catch { throw LawBroken(description: "\(words()): \(error)") }
}

/// Any bytes as text, for messages and for parsers that take strings.
func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
