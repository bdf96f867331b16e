package import KeyVault
import Messages
import SecureMemory

/// The secrets that open a vault.
public struct UnlockMethod: ~Copyable {
    package let value: KeyVault.UnlockMethod

    private init(_ value: consuming KeyVault.UnlockMethod) { self.value = value }

    /// - Parameter pin: 6 to 1,024 bytes of printable ASCII.
    /// - Throws: `invalid-pin`.
    public static func pin(_ pin: consuming Secret) throws(EOSError) -> UnlockMethod {
        UnlockMethod(.pin(try Self.parsed(pin)))
    }

    /// - Parameters:
    ///   - pin: 6 to 1,024 bytes of printable ASCII.
    ///   - keyFile: 32 bytes.
    /// - Throws: `invalid-pin`, `key-file`.
    public static func pin(
        _ pin: consuming Secret, keyFile: consuming Secret
    ) throws(EOSError) -> UnlockMethod {
        let pin = try Self.parsed(pin)
        do throws(VaultError) { return UnlockMethod(.pinAndKeyFile(pin, try KeyFile(keyFile.bytes))) } catch {
            throw EOSError(error.words)
        }
    }

    /// A PIN, and the TPM that was added to the vault with `eosvault slot add --new-tpm`.
    /// - Parameters:
    ///   - pin: 6 to 1,024 bytes of printable ASCII.
    ///   - path: the device, `/dev/tpmrm0` on most machines.
    /// - Throws: `invalid-pin`; `input-output` if the device can't be opened, `no-device` if it is
    ///   not a TPM, `device-failed`.
    public static func pin(_ pin: consuming Secret, tpm path: String) throws(EOSError) -> UnlockMethod {
        let pin = try Self.parsed(pin)
        do throws(VaultError) { return UnlockMethod(.pinAndTPM(try PINAndTPM(pin, tpmAt: path))) } catch {
            throw EOSError(error.words)
        }
    }

    /// - Parameter words: 24 words with spaces between them.
    /// - Throws: `invalid-phrase`.
    public static func recoveryPhrase(_ words: consuming Secret) throws(EOSError) -> UnlockMethod {
        do throws(VaultError) { return UnlockMethod(.recovery(try RecoveryPhrase(words: words.bytes))) } catch
        {
            throw EOSError(error.words)
        }
    }

    /// A new random phrase of 24 words, for ``UnlockedVault/add(_:)``. The words exist nowhere
    /// else: anyone who has them and the file of the vault has the keys.
    /// - Parameter show: shows the words to a person, who writes them down. Its argument is 24
    ///   fields of 9 bytes, each a word and spaces behind it. Return false to discard the phrase.
    /// - Throws: `declined` if `show` returns false; `not-enough-memory`.
    public static func newRecoveryPhrase(
        shownBy show: (RawSpan) -> Bool
    ) throws(EOSError) -> UnlockMethod {
        let phrase: RecoveryPhrase
        do throws(VaultError) { phrase = try RecoveryPhrase.random() } catch { throw EOSError(error.words) }
        let isKept: Bool
        do {
            isKept = try phrase.withWords { words in words.withBytes { span in show(span) } }
        } catch { throw EOSError(Words(for: error)) }
        guard isKept else { throw EOSError(Words(.declined)) }
        return UnlockMethod(.recovery(phrase))
    }

    private static func parsed(_ secret: consuming Secret) throws(EOSError) -> PIN {
        do throws(VaultError) { return try PIN(secret.bytes) } catch { throw EOSError(error.words) }
    }
}
