/// What a parser promises for any input whatever. That it doesn't trap, the process shows; the rest
/// is said here.
///
/// The fuzz targets throw inputs at a law until it breaks; `LawsTests` replays the seeds, and what
/// broke a law before.
package protocol Law: SendableMetatype {
    /// Of its fuzz target, its corpus and its regressions.
    static var name: String { get }
    /// Inputs to begin with: what the vectors hold for this parser.
    static func seeds(_ vectors: Vectors) throws -> [[UInt8]]
    static func check(_ input: [UInt8]) throws(LawBroken)
}

package let allLaws: [any Law.Type] = [
    JSONLaw.self, ABIJSONLaw.self, RawABILaw.self, ABIDecodeLaw.self, ABIEncodeLaw.self, TransactionLaw.self,
    KeyTextLaw.self,
    Base58Law.self, ClientDataLaw.self,
    VectorFileLaw.self, AuditRecordLaw.self, RecoveryPhraseLaw.self, CarvedBytesLaw.self,
]

/// A law, in words, that an input broke.
package struct LawBroken: Error, CustomStringConvertible {
    package let description: String
}

/// Throws unless a law holds.
func law(_ holds: Bool, _ words: @autoclosure () -> String) throws(LawBroken) {
    guard holds else { throw LawBroken(description: words()) }
}

/// Runs a step that must not be refused.
func must<Value: ~Copyable>(_ words: @autoclosure () -> String, _ step: () throws -> Value) throws(LawBroken) -> Value {
    do { return try step() } catch { throw LawBroken(description: "\(words()): \(error)") }
}

/// Text of any bytes, for messages and for parsers that take strings.
func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
