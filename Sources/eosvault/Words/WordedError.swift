import ABICodec
import Codecs
import Curves
import HTTPSigning
import JSON
import KeyText
import KeyVault
import Policy
import Sandbox
import SecureMemory
import Signing
import SigningRequests
import Transactions
import VectorSuite

/// An error whose text is in this folder. All other errors come from the argument parser.
protocol WordedError: Error {
    var words: Words { get }
}

extension Placed: WordedError {
    var words: Words {
        guard let use, let error = error as? VaultError else { return Words(for: error).at(place) }
        return use.words(of: error).at(place)
    }
}
extension CommandError: WordedError { var words: Words { Words(self) } }
extension ScannedCodes.Failure: WordedError { var words: Words { Words(self) } }
extension InputFile.Failure: WordedError { var words: Words { Words(self) } }
extension Output.Failure: WordedError { var words: Words { Words(self) } }
extension Undelivered: WordedError { var words: Words { Words(self) } }
extension Terminal.Failure: WordedError { var words: Words { Words(self) } }
extension MergeError: WordedError { var words: Words { Words(self) } }
extension SigningError: WordedError { var words: Words { Words(self) } }
extension TransactionError: WordedError { var words: Words { Words(self) } }
extension RequestError: WordedError { var words: Words { Words(self) } }
extension AuthoredRequestError: WordedError { var words: Words { Words(self) } }
extension BuildError: WordedError { var words: Words { Words(self) } }
extension ChainError: WordedError { var words: Words { Words(self) } }
extension ABIError: WordedError { var words: Words { Words(self) } }
extension JSONError: WordedError { var words: Words { Words(self) } }
extension KeyTextError: WordedError { var words: Words { Words(self, kind: .any) } }
extension TransactionLogError: WordedError { var words: Words { Words(self) } }
extension PolicyError: WordedError { var words: Words { Words(self) } }
extension HTTPSigningError: WordedError { var words: Words { Words(self) } }
extension CurveError: WordedError { var words: Words { Words(self) } }
extension CodecError: WordedError { var words: Words { Words(self) } }
extension SandboxError: WordedError { var words: Words { Words(self) } }
extension SecureMemoryError: WordedError { var words: Words { Words(self) } }
extension VaultError: WordedError { var words: Words { Words(self) } }
extension VectorFileError: WordedError { var words: Words { Words(self) } }

extension Words {
    init(for error: any Error) {
        self =
            (error as? any WordedError)?.words
            ?? Words(.internalError, "an error without a message: \(type(of: error))")
    }
}
