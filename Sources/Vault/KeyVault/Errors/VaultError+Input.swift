extension VaultError {
    /// The user's input or request is refused.
    package enum Input: Equatable, Sendable {
        /// The PIN is empty.
        case pinEmpty
        case pinTooShort(minimum: Int)
        case pinTooLong(maximum: Int)
        /// The byte at `offset` is not printable ASCII (0x20 to 0x7e).
        case pinNotPrintableASCII(offset: Int)
        /// No slot of this kind opens: the PIN is wrong, the PIN or the key file is wrong (there is
        /// no way to know which), or the phrase is wrong. The `damagedSlots` could not be tried, so
        /// the unlock method may belong to one of them.
        case wrongUnlockMethod(SlotKind, damagedSlots: [Int])
        /// After failed unlocks, the next one can be made in this many seconds. The method was not
        /// tried.
        case unlockDelayed(seconds: Int64)
        /// The key file does not have 32 bytes.
        case keyFileLength(count: Int)
        case recoveryPhrase(RecoveryPhraseProblem)
        case label(LabelProblem)
        case labelExists
        /// The label differs from another one only in spelling.
        case labelAlike
        case keyExists
        case noSuchKey
        /// An entry was to be removed, but no verified backup contains it.
        case neverBackedUp(EntryKind)
        case noSuchSlot(Int)
        /// This is the vault's only slot. Without it nothing would open the vault.
        case lastSlot
        /// Only slots that need a device would be left, and the device can fail or be lost.
        case notEnough
        /// A TPM counts each refused PIN, so the vault has at most one slot for each. This one has
        /// the slot with this number.
        case tpmHasSlot(Int)
        /// All eight slots are in use.
        case slotsFull
        /// These slots can't get a new master key without their unlock methods.
        case otherSlots([Int])
        /// Another thread locked the vault meanwhile. Nothing was changed.
        case locked
        /// Another process changed the slot that opened the vault. Nothing was done.
        case slotChanged
        /// The vault has a policy that this version does not interpret: it signs nothing.
        case policySet
        /// The vault has no policy for these keys.
        case noPolicy
        /// The request needs the second unlock method of a policy, of this kind.
        case secondMethodNeeded(SlotKind)
        case kdfCost(KDFCostProblem)
        /// The vault has no slot of this kind; `others` are the kinds that it has.
        case noSlot(SlotKind, others: [SlotKind])
        /// The entry is of a kind that this version does not support.
        case unsupportedKind(UInt8)
        /// The entry is a credential or a seed, and a key is needed.
        case notAKey
        /// The private key is in a token: it can't be read, and signs only through the token.
        case keyInToken
        /// The entry is not a credential.
        case notACredential
        /// The entry is not a seed.
        case notASeed
        /// All indices of the seed's keys are used.
        case noIndexLeft
        /// The key may not sign a digest, which could be of anything.
        case digestRefused(DigestRefusal)
        /// A given nonce is not greater than the last one, which was used or is in use.
        case nonceUsed(last: UInt64)
        /// The last nonce is the greatest 64-bit number.
        case noNonceLeft
        /// The file is not an archive of an audit log.
        case notAnArchive
        case archiveOfOtherVault
        /// All records of the audit log are archived.
        case nothingToArchive
        /// Of two archives in order, one ends with the record `last`, and the other one does not
        /// continue from it: it begins with the record `next`, which is another number, or was
        /// chained to another record.
        case archivesNotConsecutive(last: Int64, next: Int64)
        case chainName(ChainNameProblem)
        /// The vault gives no name to the chain.
        case noSuchChainName
        /// The vault pins no ABI for the contract.
        case noPinnedABI
        /// The part would have more bytes than the limit, or has none.
        case tooLarge(Part, maximum: Int)
        /// One more pinned ABI would exceed the number, or the size in bytes, of all of them.
        case pinnedABIsFull(count: Int, size: Int)
    }

    /// A part whose size in bytes the vault limits.
    package enum Part: Equatable, Sendable {
        case policy
        /// All policies of the vault together.
        case policies
        /// A key's uses of its limits, in their windows.
        case policyUses
        /// The profile, the key id and the URL prefix of a credential.
        case credential
        /// The raw form of an ABI to pin.
        case pinnedABI
    }
}

/// Why a key may not sign a digest.
package enum DigestRefusal: Equatable, Sendable {
    /// The key has a policy, which can't decide about a digest.
    case policy
    /// The key signed a transaction: it is in a permission of an account.
    case signedTransaction
}

/// The problem with a label.
package enum LabelProblem: Equatable, Sendable {
    case empty
    case tooLong(maximum: Int)
    /// A control, bidi, zero-width, unassigned or otherwise invisible character; `offset` counts
    /// UTF-8 bytes.
    case unprintable(offset: Int)
    /// The label begins or ends with a space.
    case outerSpace
    /// The label could be mistaken for a key or a signature.
    case looksLikeKey
    /// The name of an entry, `KIND:NAME`, or of a system account.
    case looksLikeName
    /// A combining mark without a letter, or too many in a row.
    case combiningMarks(offset: Int)
    /// A letter of none of the scripts that labels may have.
    case unknownScript(offset: Int)
    case mixedScripts
}

/// The problem with a key derivation cost.
package enum KDFCostProblem: Equatable, Sendable {
    case passes(UInt32, allowed: ClosedRange<UInt32>)
    /// The requested memory in bytes is outside the allowed range.
    case memory(UInt64, allowed: ClosedRange<UInt64>)
    /// The requested number of bytes is not a multiple of 1,024.
    case memoryNotWholeKibibytes(UInt64)
    /// Several slots together request too much.
    case together
    /// The requested number of bytes, and the number that the machine has.
    case memoryBeyondMachine(UInt64, machine: UInt64)
}

/// The problem with a recovery phrase.
package enum RecoveryPhraseProblem: Equatable, Sendable {
    case wordCount(Int)
    /// The word at `position`, from 1, is not in the list.
    case unknownWord(position: Int)
    /// A word was mistaken for another word of the list, or the words are in the wrong order.
    case checksum
    /// The words are a BIP-39 seed, which belongs to a wallet and not to a vault.
    case walletSeed
    /// The bits are of this number of bytes, and a phrase has 32.
    case byteCount(Int)
}
