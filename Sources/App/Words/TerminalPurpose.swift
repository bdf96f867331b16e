/// What the program asks for at the terminal. The raw value is the text for a message.
enum TerminalPurpose: String {
    case confirmation = "a confirmation"
    case removal = "the name of the key or credential to remove"
    case pin = "the PIN"
    case privateKey = "the private key"
    case credentialSecret = "the secret"
    case newPIN = "the new PIN"
    case phrase = "the recovery phrase"
    case newPhrase = "words of the new recovery phrase"
    case policyPIN = "the policy PIN"
    case secondPhrase = "the recovery phrase, the second unlock method of the policy"
    case newPolicyPIN = "the new policy PIN"
    case newSecondPhrase = "the recovery phrase, as the second unlock method of the new policy"
    case slotRemoval = "a confirmation of the removal"
    case pinning = "a confirmation of the ABI"
    case policyChange = "a confirmation of the policy"
    case clockCorrection = "a confirmation of the clock"
    case codes = "the key that ends the sequence of QR codes"

    /// What to do when there is no terminal.
    var hint: String {
        switch self {
        case .confirmation: "review the transaction with `eosvault inspect`, then sign with --yes"
        case .removal: "give --yes"
        case .pin: "give --pin-file or --pin-fd"
        case .privateKey: "give a file, or `-` for standard input"
        case .credentialSecret: "give --secret-file with a file, or `-` for standard input"
        case .newPIN: "give --new-pin-file or --new-pin-fd"
        case .phrase: "give --recovery-file"
        case .policyPIN, .secondPhrase: "give --second-file or --second-fd"
        case .newPolicyPIN, .newSecondPhrase: "give --new-second-file or --new-second-fd"
        case .newPhrase:
            "eosvault shows a recovery phrase only at a terminal: run the command at one, or omit the option"
        case .codes: "write a picture with --qr-file FILE.png"
        case .pinning: "give --hash with the SHA-256 that several nodes return, and --yes"
        case .clockCorrection: "check the clock with `date -u`, then give --yes"
        case .policyChange: "check the current policy with `eosvault policy show`, then give --yes"
        case .slotRemoval: "check the slot with `eosvault slot list`, then remove it with --yes"
        }
    }
}
