import ABICodec
import Glibc
import KeyVault
import Keys
import Policy
import SecureMemory
import Signing

/// Compares the program, `eosvault sign` with a key that has a policy of 100 rules and 10,000 uses
/// of its limits, with the same command and a vault without a policy.
enum PolicyRates {
    private static let pin = "correct horse"
    /// Now, so that the uses are in the windows and the clock takes no step.
    private static let start = UInt32(clamping: Glibc.time(nil))

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func sign(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try TemporaryFolder()
        try folder.write(Array(pin.utf8), to: "pin")
        try folder.write(Array(transaction.utf8), to: "transfer")
        let (limited, plain) = (folder.path + "/limited.db", folder.path + "/plain.db")
        for path in [limited, plain] { try create(path, withPolicy: path == limited) }
        func run(_ vault: String) throws -> Double {
            try program.run(
                [
                    "sign", folder.path + "/transfer", "--chain", "eos", "--vault", vault, "--pin-file",
                    folder.path + "/pin", "--yes",
                ],
                input: "/dev/null", output: folder.path + "/result")
        }
        return try Rate.compare(name, with: "sign without a policy", rounds: 51) {
            try run(limited)
        } yardstick: {
            try run(plain)
        }
    }

    private static func create(_ path: String, withPolicy: Bool) throws {
        let method = UnlockMethod.pin(try PIN(SecureBytes(copyingPublic: pin.utf8)))
        try Vault.create(at: path, method: SlotSecret(of: method, cost: .leastInsecure), createdAt: Int64(start))
        let key = try CurveRates.key()
        let vault = try Vault.open(path).unlock(method)
        try vault.insert(key, label: nil, createdAt: Int64(start))
        guard withPolicy else { return }
        let name = EntryName(key.publicKey)
        let second = try SecondMethod.wrapping(
            SlotSecret(of: method, cost: .leastInsecure), in: vault, createdAt: Int64(start))
        let policy = try StoredPolicy(
            .key(name), document: KeyPolicy(Array(document.utf8)).canonical, secondMethod: second, setAt: Int64(start))
        var uses = try KeyPolicy(Array(document.utf8)).adopt(LimitUses())
        for number in 1..<10_000 { uses.add([try use(number)]) }
        let times = PolicyUses.Times(last: Int64(start))
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(policy, isLooser: false)
            try transaction.store(uses.changedParts, times, of: name)
        }
    }

    /// 99 rules for other accounts, then the one that allows the transfer.
    private static var document: String {
        let recipients = (1..<100).map { number in "user\(number % 5 + 1)\(number / 5 % 5 + 1)\(number / 25 + 1)" }
        let rules = (recipients + ["bob"]).map { name in
            #"{"contract":"eosio.token","action":"transfer","authorization":["alice@active"],"#
                + #""fields":{"/to":{"equals":"\#(name)"},"/memo":{"pattern":"invoice [0-9]*"}}}"#
        }
        let limits = [
            #"{"amount":"1000000000.0000 EOS@eosio.token","per":"24h"}"#,
            #"{"amount":"1000000000.0000 EOS@eosio.token","per":"30d","each_recipient":true}"#,
        ]
        return #"{"version":1,"chains":["eos"],"rules":[\#(rules.joined(separator: ","))],"#
            + #""limits":[\#(limits.joined(separator: ","))]}"#
    }

    /// A use. The transaction of the benchmark is one more.
    private static func use(_ number: Int) throws -> PolicyEntry {
        PolicyEntry(
            time: start,
            transaction: [UInt8(number & 0xff), UInt8(number >> 8)] + [UInt8](repeating: 0x5a, count: 30),
            expiration: .max,
            token: Token("4,EOS@eosio.token"), recipient: try Name("user\(number % 5 + 1)"), amount: 10_000, count: 1)
    }

    private static let transaction =
        #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":["#
        + #"{"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],"#
        + #""data":{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":"invoice 7"}}]}"#
}
