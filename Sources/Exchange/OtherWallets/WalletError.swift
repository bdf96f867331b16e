import Codecs
import JSON
import Keys
import SecureMemory

/// Why a wallet file of another program is refused. No key of it is imported then. No case contains
/// text of the file that may be a secret.
package enum WalletError: Error, Equatable {
    /// The password is wrong, or the encrypted bytes are damaged: the format can't distinguish the
    /// two.
    case wrongPassword(WalletFormat)
    case passwordNeeded(WalletFormat)
    /// The words that are the password of a key certificate.
    case words(WordFault)
    /// The text around the encrypted keys.
    case form(WalletFormat, FormFault)
    /// The decrypted contents. The password is right, or a wrong one passed a weak check.
    case contents(WalletFormat, ContentFault)
    /// A key of the file. Its number counts the entries of the file from 1.
    case key(number: Int, KeyFault)
    case unsupported(Unsupported)
    /// The file requests too much.
    case limit(Limit)
    case memory(SecureMemoryError)
    /// A step failed that can't fail for valid input.
    case libraryFailure

    package enum WordFault: Equatable, Sendable {
        case unknownWord(number: Int)
        case wrongCount(given: Int, expected: Int)
        /// The words encode more bytes than there are.
        case malformed
    }

    package enum FormFault: Equatable, Sendable {
        case empty
        case notJSON(JSONError)
        case notAnObject
        case missingMember(String)
        /// A member of another kind, such as a number instead of a text.
        case wrongMember(String)
        case hex(member: String, CodecError)
        case base64(member: String, CodecError)
        case base58(CodecError)
        /// The program writes no such number of encrypted bytes: some are missing, or there are too
        /// many.
        case wrongLength(bytes: Int)
        case checksum
        /// The text lacks a part: a prefix, a line, a label, the salt.
        case missingPart(String)
        /// The file has no encrypted keys.
        case noKeys
    }

    package enum ContentFault: Equatable, Sendable {
        /// The number of keys differs from the number of entries.
        case wrongCount
        case notJSON
        case missingMember(String)
        case wrongMember(String)
    }

    package enum KeyFault: Equatable, Sendable {
        /// The private key does not belong to the public key of the entry.
        case mismatch
        case privateKey(KeyTextError)
        case publicKey(KeyTextError)
        case scalar(CurveError)
        /// A type of key without private keys, such as WebAuthn.
        case unknownType(UInt8)
    }

    package enum Unsupported: Equatable, Sendable {
        /// A key of eosc that Google Cloud or another service has encrypted.
        case wrap(String)
        case version(String)
        case curve(String)
    }

    package enum Limit: Equatable, Sendable {
        case fileSize
        case keyCount
        /// Texts or salts, each of which needs a key derivation.
        case derivationCount
        /// The bytes that the key derivation writes to memory.
        case derivation(bytes: UInt64)
    }
}
