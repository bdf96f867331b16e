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
    /// Now, so that the uses are in the windows and the clock takes no step.
    private static let start = UInt32(clamping: Glibc.time(nil))

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func sign(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try TemporaryFolder()
        try folder.write(Array(TemporaryFolder.pin.utf8), to: "pin")
        try folder.write(Array(transaction.utf8), to: "transfer")
        try folder.makeVault("plain.db", createdAt: Int64(start))
            .insert(CurveRates.key(), label: nil, createdAt: Int64(start))
        try makeLimited(in: folder, allowing: #"{"equals":"bob"}"#)
        let transfer = [folder.path + "/transfer"]
        return try Rate.compare(name, with: "sign without a policy", rounds: 51) {
            try folder.sign(transfer, with: program, vault: "limited.db")
        } yardstick: {
            try folder.sign(transfer, with: program, vault: "plain.db")
        }
    }

    /// - Parameter recipient: the condition on the recipient of the rule that allows transfers.
    static func makeLimited(in folder: borrowing TemporaryFolder, allowing recipient: String) throws {
        let document = document(allowing: recipient)
        let key = try CurveRates.key()
        let method = try TemporaryFolder.method()
        let vault = try folder.makeVault("limited.db", createdAt: Int64(start))
        try vault.insert(key, label: nil, createdAt: Int64(start))
        let name = EntryName(key.publicKey)
        let second = try SecondMethod.wrapping(
            SlotSecret(of: method, cost: .leastInsecure), in: vault, createdAt: Int64(start))
        let policy = try StoredPolicy(
            .key(name), document: KeyPolicy(Array(document.utf8)).canonical, secondMethod: second,
            setAt: Int64(start))
        var uses = try KeyPolicy(Array(document.utf8)).adopt(LimitUses())
        for number in 1..<10_000 { uses.add([try use(number)]) }
        let times = PolicyUses.Times(last: Int64(start))
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(policy, isLooser: false)
            try transaction.store(uses.changedParts, times, of: name)
        }
    }

    /// 99 rules for other accounts, then the one that allows the transfer.
    private static func document(allowing recipient: String) -> String {
        let recipients = (1..<100).map { number in
            #"{"equals":"user\#(number % 5 + 1)\#(number / 5 % 5 + 1)\#(number / 25 + 1)"}"#
        }
        let rules = (recipients + [recipient]).map { recipient in
            #"{"contract":"eosio.token","action":"transfer","authorization":["alice@active"],"#
                + #""fields":{"/to":\#(recipient),"/memo":{"pattern":"invoice [0-9]*"}}}"#
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
            token: Token("4,EOS@eosio.token"), recipient: try Name("user\(number % 5 + 1)"), amount: 10_000,
            count: 1)
    }

    private static let transaction = TransferRates.transaction(
        #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":"invoice 7"}"#)
}
