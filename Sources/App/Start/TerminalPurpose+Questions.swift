import Shell

extension TerminalPurpose {
    package static let confirmation = TerminalPurpose(
        "a confirmation",
        hint: "review the transaction with `eosvault inspect`, then sign with --yes")
    static let removal = TerminalPurpose(
        "the name of the entry to remove",
        hint: "give --yes")
    static let pin = TerminalPurpose(
        "the PIN",
        hint: "give --pin-file or --pin-fd")
    static let authenticatorPIN = TerminalPurpose(
        "the PIN of the authenticator",
        hint: "give --fido2-pin-file or --fido2-pin-fd")
    static let newAuthenticatorPIN = TerminalPurpose(
        "the PIN of the new authenticator",
        hint: "give --new-fido2-pin-file or --new-fido2-pin-fd")
    static let privateKey = TerminalPurpose(
        "the private key",
        hint: "give a file, or `-` for standard input")
    static let credentialSecret = TerminalPurpose(
        "the secret",
        hint: "give --secret-file with a file, or `-` for standard input")
    static let newPIN = TerminalPurpose(
        "the new PIN",
        hint: "give --new-pin-file or --new-pin-fd")
    static let phrase = TerminalPurpose(
        "the recovery phrase",
        hint: "give --recovery-file")
    static let newPhrase = TerminalPurpose(
        "words of the new recovery phrase",
        hint:
            "eosvault shows a recovery phrase only at a terminal: run the command at one, or omit the option")
    static let newSeedWords = TerminalPurpose(
        "words of the new seed",
        hint: "eosvault shows a seed only at a terminal: run the command at one")
    static let dice = TerminalPurpose(
        "rolls of a die",
        hint: "run the command at a terminal, or omit --dice")
    static let seedWords = TerminalPurpose(
        "the words of the seed",
        hint: "give --words-file")
    static let walletWords = TerminalPurpose(
        "the words of the wallet",
        hint: "give a file, or `-` for standard input")
    static let walletPassword = TerminalPurpose(
        "the password of the file",
        hint: "give --password-file")
    static let newWalletPassword = TerminalPurpose(
        "the password of the new wallet file",
        hint: "give --new-password-file")
    static let newShare = TerminalPurpose(
        "words of the new shares",
        hint: "eosvault shows shares only at a terminal: run the command at one")
    static let share = TerminalPurpose(
        "the words of a share",
        hint: "run the command at a terminal")
    static let policyPIN = TerminalPurpose(
        "the policy PIN",
        hint: "give --second-file or --second-fd")
    static let secondPhrase = TerminalPurpose(
        "the recovery phrase, the second unlock method of the policy",
        hint: "give --second-file or --second-fd")
    static let newPolicyPIN = TerminalPurpose(
        "the new policy PIN",
        hint: "give --new-second-file or --new-second-fd")
    static let newSecondPhrase = TerminalPurpose(
        "the recovery phrase, as the second unlock method of the new policy",
        hint: "give --new-second-file or --new-second-fd")
    static let slotRemoval = TerminalPurpose(
        "a confirmation of the removal",
        hint: "check the slot with `eosvault slot list`, then remove it with --yes")
    static let pinning = TerminalPurpose(
        "a confirmation of the ABI",
        hint: "give --hash with the SHA-256 that several nodes return, and --yes")
    static let policyChange = TerminalPurpose(
        "a confirmation of the policy",
        hint: "check the current policy with `eosvault policy show`, then give --yes")
    static let clockCorrection = TerminalPurpose(
        "a confirmation of the clock",
        hint: "check the clock with `date -u`, then give --yes")
    static let codes = TerminalPurpose(
        "the key that ends the sequence of QR codes",
        hint: "write a picture with --qr-file FILE.png")
}
