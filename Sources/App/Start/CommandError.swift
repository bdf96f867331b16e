import ABICodec
import Shell

/// Errors that commands find themselves, not the libraries that they call.
enum CommandError: Error, Equatable {
    case noHome
    case noKey(vault: String)
    /// The names of the vault's keys. The user must choose one of them.
    case severalKeys([String])
    case unknownKey(vault: String)
    /// The user answered no: nothing is signed.
    case declined
    /// The file of `sign --lines` changed after its review, at or after this line.
    case linesChanged(line: Int)
    /// Two lines of the file of `sign --lines` have the same id.
    case idTwice(line: Int, first: Int)
    /// The file of `sign --lines` has more different payments than the review adds up.
    case tooManyTotals(line: Int)
    /// The user did not type the word that a danger requires: nothing is signed.
    case dangerDeclined(word: String)
    /// The user answered no, or typed a name other than that of the key to remove.
    case notRemoved
    /// The user typed wrong words of the new recovery phrase.
    case phraseNotConfirmed
    /// The slots with a PIN, by number: none, or several, so the slot of the lost PIN is unknown.
    case whichPIN([Int])
    /// The vault has no recovery phrase, which would be the second unlock method of a policy.
    case noRecoveryPhrase
    /// The new policy PIN opens the vault.
    case samePolicyPIN
    case r1Import
    /// A key of a finalizer.
    case blsImport
    /// A file has more bytes than one private key.
    case notOneKey(limit: Int)
    /// The public key that a file states does not belong to the private key next to it.
    case keyMismatch
    /// A private key without its public key, in a file that has both.
    case noPublicKey
    case developmentKey
    /// A file is not the list of keosd's keys; the number of the key where the form is wrong.
    case notKeosdList(key: Int)
    /// A `signature-provider` line without KEY or KEOSD.
    case signatureProvider
    /// A file of this kind has no key to import.
    case nothingToImport(String)
    /// A signing request, where a transaction is expected.
    case signingRequest
    /// All files have only signatures.
    case noTransactionToMerge
    /// Two files have the permissions of this account.
    case accountTwice(String)
    /// No entry of the damaged vault could be decrypted.
    case nothingRescued
    /// The vault can't be written, so its audit log could not record the signature.
    case unrecorded
    /// The user answered no: the ABI is not pinned.
    case notPinned
    /// The user answered no: the policy stays as it is.
    case policyKept
    /// The user answered no: the clock is not recorded as right.
    case clockKept
    /// A first policy without a second unlock method.
    case secondMethodMissing
    /// The raw form of the ABI has this SHA-256, not the one of --hash.
    case otherABIHash(found: String)
    /// No ABI of the account is built in, or pinned in the vault.
    case noSuchABI(account: Name)
    /// The private key would go to a standard output that is not a terminal.
    case unencryptedExport
    /// The secret of a credential would go to a standard output that is not a terminal.
    case unencryptedSecret
    case unknownCredential(vault: String)
    /// A header with a secret would go to a terminal or a file.
    case secretHeader
    /// A key or a credential has the name of a new credential.
    case credentialExists
    /// Standard output is not a terminal, so it can't show a code.
    case qrNoTerminal
    /// The terminal has no colours.
    case qrPlainTerminal
    /// The largest --qr-fragment whose codes fit the terminal, nil if none does.
    case qrTerminalTooSmall(needed: TerminalSize, actual: TerminalSize, fragment: Int?)
    /// The message is longer than a sequence of codes can be.
    case qrTooLong
}
