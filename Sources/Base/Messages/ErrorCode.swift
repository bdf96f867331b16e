/// The errors that programs distinguish. Each row has the code, the exit status after it if that is
/// not 1, the meaning, and in a second line what to do next. An error that needs other advice has
/// it in its own words; `App` has the advice that mentions a command of eosvault.
package enum ErrorCode: String, MessageCode {
    // MARK: unlocking the vault

    case wrongPIN = "wrong-pin 77: the PIN or the key file is wrong"
    case wrongPhrase = "wrong-phrase 77: the recovery phrase does not open the vault"
    case noSlot = "no-slot: the vault has no slot for this kind of unlock method, or several"
    case noSuchSlot = "no-such-slot: the vault has no slot with this number"
    case lastSlot = "last-slot: no slot would be left, or only slots that need a device"
    case slotsFull = "slots-full: all eight slots are in use, or the vault has a slot for this TPM"
    case otherSlots = "other-slots: a new master key needs the unlock method of every slot that is kept"
    case secondMethodNeeded = "second-method-needed: the operation needs the second unlock method of a policy"
    case invalidPIN = """
        invalid-pin: the PIN is empty, too short or too long, not ASCII, or not one that can be set
        a PIN has 6 to 1024 printable ASCII characters
        """
    case keyFile = "key-file: the key file does not have 32 bytes"
    case invalidPhrase = """
        invalid-phrase: the words are not a recovery phrase
        compare the words with what you wrote down
        """
    case invalidSeed = """
        invalid-seed: the words, the dice rolls or the bytes are not the seed of a wallet
        compare the words with what you wrote down
        """
    case invalidShare = """
        invalid-share: the words are not a share, or the shares do not belong together
        compare the words with what you wrote down
        """
    case invalidPassphrase = """
        invalid-passphrase: a passphrase, or the password of a new wallet, has a wrong length or is not ASCII
        use at most 1024 printable ASCII characters
        """
    case derivationPath = """
        derivation-path: the text is not a derivation path, or it has no key
        write it like "m/44'/194'/0'/0/0"
        """
    case kdfCost = "kdf-cost: the cost of the key derivation is outside the allowed range"

    case locked = "locked: the vault of eosvault-agent is locked\nunlock it with `eosvault-agent unlock`"

    // MARK: keys and other entries of the vault

    case noSuchKey = "no-such-key: the key is not in the vault"
    case severalKeys = "several-keys: the vault has several keys"
    case keyExists = "key-exists: the key is already in the vault"
    case labelExists = """
        label-exists: another key or credential in the vault has this label, or one that looks like it
        choose another label
        """
    case invalidLabel = """
        invalid-label: the label is empty or too long, or has characters that are not allowed
        a label has 1 to 64 letters of one script, digits and symbols, with spaces only between them, and does \
        not look like a key or a system account
        """
    case neverBackedUp = "never-backed-up: no verified backup contains the key or the secret to remove"
    case changedMeanwhile = """
        changed-meanwhile: another process changed what the command uses
        check what changed, then try again
        """
    case unsupportedKey = "unsupported-key: this version can't use keys of this kind"
    case importFile = "import-file: the file does not have the form of the keys to import"
    case wrongPassword = "wrong-password 77: the password of a wallet file is wrong, or the file is damaged"
    case developmentKey = "development-key: the key to import is the public development key"
    case tokenURI = "token-uri: the text is not a URI of a PKCS#11 token or key"
    case noToken = """
        no-token: the token is not present
        connect it, or check the URI and the module with `eosvault token list`
        """
    case severalTokens = """
        several-tokens: several tokens match the URI
        add `serial` to the URI; `eosvault token list` prints it
        """
    case tokenModule = "token-module: the PKCS#11 module can't be used"
    case tokenProgram = "token-program: eosvault-token can't be started, or failed"
    case tokenFailed = """
        token-failed: the token or its module failed
        check the device and the settings of its module, then try again
        """
    case tokenTimeout = """
        token-timeout: the token did not answer in time
        check the device; --token-timeout sets the seconds to wait
        """
    case wrongTokenPIN = """
        wrong-token-pin 77: the PIN of the token or the authenticator is wrong
        a few wrong ones lock it: check it before you try again
        """
    case tokenPINLocked = """
        token-pin-locked 77: the token or the authenticator has locked its PIN
        unlock it with the tool of its vendor
        """
    case tokenKey = "token-key: the token lacks the key, or its key is not the expected one"
    case tokenMechanism = "token-mechanism: the token can't make or use such a key"
    case noDevice = """
        no-device: no TPM or FIDO2 authenticator was found, the device is not one, or several are plugged in
        connect it, or name another device
        """
    case deviceFailed = """
        device-failed: the TPM or the authenticator failed, refused a command or can't be used
        try again; if it fails again, restart this machine, or unplug the authenticator
        """
    case otherDevice = """
        other-device: the slot belongs to another TPM or authenticator, or the device was cleared or reset
        use the device that was added to the vault, or another unlock method
        """
    case tpmLocked = "tpm-locked 77: the TPM refuses all PINs for now, because too many were wrong"
    case tpmRegisters = "tpm-registers: a register (PCR) of the TPM has changed, or has no SHA-256 value"
    case noTouch = "no-touch: the user did not touch the authenticator in time"
    case keyInToken = "key-in-token: the private key is in a token and can't be read"
    case export = "export: the private key or the secret would be written unencrypted to a file or pipe"
    case noSuchCredential = "no-such-credential: the vault has no such credential"
    case noSuchSeed = "no-such-seed: the vault has no such seed, or all indices of its keys are used"
    case nonceUsed = "nonce-used: the nonce is not greater than the last one"
    case invalidChainName = """
        invalid-chain-name: the name of a chain is taken, looks like another one, or is not allowed
        choose another name: lower-case letters, digits and hyphens, such as `devnet`
        """
    case noPinnedABI = "no-pinned-abi: the vault has no pinned ABI for this account on this chain"
    case pinnedABIsFull = "pinned-abis-full: the vault has the maximum number or size of pinned ABIs"
    case noPolicy = "no-policy: no such policy is set"

    // MARK: the vault's file, and its copies

    case noVault = "no-vault: no such vault file"
    case notAVault = "not-a-vault: the file is not a vault"
    case newerVersion = """
        newer-version: a newer version of eosvault wrote the vault, an entry or a message
        use the newer version that wrote it
        """
    case permissions = """
        permissions: other users can read or change a file that only you may change
        change its owner or its mode with `chown` or `chmod`
        """
    case strayFile = """
        stray-file: a -wal or -journal file that eosvault did not write is next to the vault
        move the file whose name ends in -wal or -journal to another folder
        """
    case unfinishedChange =
        "unfinished-change: a -journal file is next to this file: a crash interrupted a change"
    case vaultFull = "vault-full: the vault has reached its maximum size"
    case damaged = "damaged: the vault's file is damaged or was modified"
    case rolledBack = "rolled-back: the vault is older than the copy last seen on this machine"
    case witnessUnreadable = "witness-unreadable: the vault's state file on this machine can't be read"
    case nothingRescued = "nothing-rescued: no key and no credential can be recovered from the file"
    case readBack = """
        read-back: the data read back differs from the data written
        the disk or USB stick is faulty: use another one
        """
    case backupNotRecorded = """
        backup-not-recorded: the backup is written and verified, but not recorded in the vault
        the vault still lists its keys as not backed up; make another backup when the vault can be written
        """
    case wrongArchive = "wrong-archive: the file is not the archive of the audit log that is needed"
    case archiveDamaged = "archive-damaged: an archive of the audit log was changed or cut off"
    case nothingToArchive = "nothing-to-archive: the audit log has no record to archive"

    // MARK: the machine

    case busy = "busy 75: another process is using the vault\ntry again when it has finished"
    case otherProcess = """
        other-process: the vault was opened by the parent of this process, before a fork
        open the vault again in this process
        """
    case diskFull = "disk-full: the disk is full\nfree some space and try again"
    case readOnly = "read-only: the vault can't be written"
    case commitUncertain = "commit-uncertain: the change was written, but a power failure may undo it"
    case inputOutput = """
        input-output: a file or a device can't be read or written
        check the file's permissions and the disk
        """
    case clock = """
        clock: the date of this machine's clock is invalid
        set the date and time of this machine, then try again
        """
    case notEnoughMemory = """
        not-enough-memory: the machine, or a limit on the process, allows too little memory
        close other programs and try again
        """
    case noAgent = """
        no-agent 69: no eosvault-agent answers at the socket, or its answer is not what it must be
        start eosvault-agent, or name its socket with --socket
        """
    case noHome = "no-home: the variable for a folder is not set, or is not an absolute path"
    case sandbox = "sandbox: the sandbox, or another protection of this process, can't be set up"

    // MARK: commands, questions, and other files

    case usage = "usage 64: the command, an option or an argument is wrong"
    case secretArgument = "secret-argument: an argument looks like a private key"
    case declined = """
        declined 2: the user answered no, or did not type what confirms the change
        nothing was done
        """
    case noAnswer = "no-answer 2: a question was not answered, or input kept arriving before it"
    case noTerminal =
        "no-terminal: there is no terminal that can ask a question, hide a secret or show a QR code"
    case noSuchFile = """
        no-such-file: the file or its folder does not exist
        relative paths start at the current folder; `-` means standard input
        """
    case notAFile = """
        not-a-file: the path is a folder, a link, a file with several names, or not a regular file
        name the file itself
        """
    case invalidPath = """
        invalid-path: the path is not a valid name for the file
        choose another file name
        """
    case exists = """
        exists: the file to write already exists
        nothing is overwritten; name another file
        """
    case incompleteFile = "incomplete-file: the file could not be written completely"
    case notDelivered = """
        not-delivered: the signature, or the exported key or secret, could not be written to the output
        """
    case empty = """
        empty: the file or the text is empty
        make it again, or check the command that feeds the pipe
        """
    case tooLarge = """
        too-large: the input or the result exceeds a limit of its size, number or depth
        check that this is the right input, and where it comes from
        """
    case vaultFile = "vault-file: the file is a vault or a backup, and the command needs another kind of file"
    case wrongFile = "wrong-file: the file is not of the right kind, or not about the right account"
    case duplicate = "duplicate: something that must be given once occurs twice"
    case internalError = "internal: eosvault has a bug\nplease report this as a bug"

    // MARK: transactions and signatures

    case notATransaction = "not-a-transaction: the input is not a transaction"
    case noChain = "no-chain: no chain was given"
    case unknownChain = "unknown-chain: the chain is not known, or no longer exists"
    case otherChain = "other-chain: the transaction or the request is for another chain"
    case disagreement = """
        disagreement: two parts of the file do not match
        the file was changed, or a faulty tool wrote it: make it again
        """
    case noABI = "no-abi: the ABI of the account is needed, or the known one does not have the action"
    case abiDiffers = "abi-differs: the given ABI differs from the pinned or built-in one"
    case abiHash = """
        abi-hash: the ABI does not match its hash
        part of it was lost or changed: get it again
        """
    case undecodable = "undecodable: the action's data can't be decoded, or packs to different bytes"
    case otherTransaction = "other-transaction: the transaction or the proposal is not the expected one"
    case unusableSignature = """
        unusable-signature: chains refuse a signature of the transaction
        on the machine that signed this copy, sign the unsigned transaction again
        """
    case invalidCode = """
        invalid-code: the text of a QR code is damaged, or not a Uniform Resource
        scan the codes again; give one text that begins with ur: in each line
        """
    case codesMissing = """
        codes-missing: the sequence of QR codes is not complete
        scan the sequence longer, and give the texts of all its codes in one file
        """
    case severalMessages = """
        several-messages: the QR codes belong to different messages
        scan the codes of one message, and give only their texts
        """
    case dangerNotAllowed =
        "danger-not-allowed 3: the transaction is dangerous, and --allow does not name the danger"
    case warningRefused = "warning-refused 3: the transaction has a warning that --refuse names"
    case actionNotAllowed = "action-not-allowed 3: no option and no policy allows an action of the line"
    case keyNotRequired = """
        key-not-required: the file lists the keys that must sign, and the key is not one of them
        choose one of these keys with --key, or remove the list from the file
        """
    case faultySignature = """
        faulty-signature: the new signature is wrong, or could not be made
        the hardware may be faulty: try again; if it fails again, use another machine
        """

    // MARK: new transactions

    case unknownToken = "unknown-token: the token is not known for the chain"
    case invalidAmount = "invalid-amount: the action does not accept the amount or the number"
    case invalidAction = "invalid-action: the chain would refuse the action"

    // MARK: signing requests

    case notARequest = """
        not-a-request: the text is not the link of a signing request
        give a link, or a file that contains one
        """
    case invalidRequest = """
        invalid-request: the signing request is damaged, or of a form that is not supported
        ask the sender for a new request
        """
    case otherSigner = "other-signer: the request is a login as another account or permission"
    case requestKey = "request-key: the request was not signed by the key of --request-key"
    case notVerified = """
        not-verified: the answer of a wallet is not from the expected key, account, scope or request
        do not accept it: ask for a new login or signature
        """
    case proofExpired = """
        proof-expired: the answer of a wallet has expired
        ask for a new login or signature; check the clock of this machine
        """
    case missingReference = "missing-reference: the request leaves the block or the expiration to the signer"

    // MARK: policies

    case invalidPolicy = "invalid-policy: the file is not a policy"
    case policyLog = "policy-log: the list of past transactions can't be read"
    case policy = "policy 3: the vault has a policy that this version can't read"
    case policyRule = """
        policy-rule 3: the policy does not allow the transaction
        check the transaction; if it is right, set a new policy
        """
    case policyHours = """
        policy-hours 3: the policy does not allow signatures at this time
        sign at a time that `hours` of the policy includes; check the clock of this machine
        """
    case policyExpiration = """
        policy-expiration 3: the transaction expires later than the policy allows
        build the transaction again with an earlier expiration
        """
    case policyCosigner = """
        policy-cosigner 3: the cosigner that the policy names has not signed
        let the cosigner sign first, then sign the result
        """
    case policyABI = "policy-abi 3: the policy does not allow data that no pinned or built-in ABI decodes"
    case policyProposal = "policy-proposal 3: the policy does not allow the approval of an unknown proposal"
    case policyLimit = """
        policy-limit 3: the transaction exceeds a limit of the policy
        split the transaction, sign later, or set a new policy
        """
    case policyConfirm = "policy-confirm 3: the policy requires that a person confirms the signature"
    case policyReadOnly =
        "policy-read-only 3: the vault can't be written, so the policy can't count the signature"

    // MARK: HTTP requests

    case invalidHTTPRequest = "invalid-http-request: the method, the URL, a header or the body is refused"
    case outsidePrefix = "outside-prefix: the URL is not within the URL prefix of the credential"
    case invalidProfile = "invalid-profile: the profile, a parameter of it or the key id is refused"
    case wrongProfile = """
        wrong-profile: the host belongs to the service of another profile
        check the URL, or use a credential with that profile
        """
    case plainHTTP = "plain-http: the secret would be sent without encryption"
    case timeOutsideWindow =
        "time-outside-window: the time of the request is too far from this machine's clock"
    case bodyFile = "body-file: the body must be written to a file"
    case invalidSecret = """
        invalid-secret: the secret is empty, too long, or has white space or control characters
        copy the secret again, without white space
        """

    // MARK: text of keys and signatures

    case invalidKey = """
        invalid-key: the text or the bytes are not a key that is accepted here
        export it again from the tool that made it
        """
    case invalidSignature = """
        invalid-signature: the text or the bytes are not a signature
        copy it again from the tool that made it
        """
    case privateKeyGiven = """
        private-key-given: a private key was given where another text is needed
        anyone who saw this private key can sign with it: if someone else may have seen it, change the account to \
        a new key
        """

    // MARK: JSON, bytes and values

    case invalidJSON = "invalid-json: the text is not JSON"
    case wrongFields = "wrong-fields: a field is missing, unknown, in excess or of the wrong kind"
    case invalidValue = """
        invalid-value: the value is not one of its type
        an amount is a number and its token in quotes, such as '1.0000 EOS'; a time is UTC, such as \
        2026-12-01T00:00:00; the ABI names the type of each field
        """
    case invalidEncoding = """
        invalid-encoding: the bytes or the text of bytes are cut off, too long or malformed
        part of the data was lost or added: make or copy it again
        """
    case invalidABI = "invalid-abi: the file is not an ABI that nodes can use"

    // MARK: pictures of QR codes

    case picture = """
        picture: the file is not a picture that can be read
        take the picture again, or convert it to PNG or JPEG
        """
    case noCode = """
        no-code: no QR code was found
        take the picture again: sharp, with the whole code and its white border, without reflections
        """
    case decoder = "decoder: the process that decodes a picture failed"
    case camera = "camera: the camera can't be used"
}
