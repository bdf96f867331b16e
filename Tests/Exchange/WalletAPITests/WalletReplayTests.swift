import Keys
import TestSupport
import Testing
import WalletAPI

/// The recorded requests of cleos and others, answered as keosd answered them. `Recorded` has the
/// requests, `Difference` all deliberate differences.
struct WalletReplayTests {
    private static func check(_ row: Recorded.Row, _ served: Served, _ differences: [Difference]) throws {
        let fault = row.fault(in: try served.answers, isClosed: served.isClosed, differences.of(row))
        #expect(fault == nil)
    }

    /// Each row of a table exists, and occurs once.
    private static func checkTable(_ table: [Difference], _ rows: [Recorded.Row]) {
        let names = table.flatMap(\.rows)
        #expect(Set(names).count == names.count)
        #expect(Set(names).subtracting(rows.map(\.name)).isEmpty)
    }

    @Test func commandsOfCleos() throws {
        let rows = try Recorded.rows("exchanges")
        let wallet = try TestWallet(password: Recorded.password, isUnlocked: false)
        wallet.keysToCreate = Recorded.createdKeys.sorted { $0.key > $1.key }.map(\.value)
        for row in rows {
            // keosd's `create` left its new wallet unlocked.
            if row.name == "10" { wallet.isUnlocked = true }
            try Self.check(
                row, Served([row.bytes], by: wallet), Difference.ofCommands)
        }
        #expect(rows.count == 79)
        Self.checkTable(Difference.ofCommands, rows)
    }

    @Test func unusualHTTP() throws {
        let rows = try Recorded.rows("http")
        var isUnlocked = true
        for row in rows {
            // It opens the wallet, which locks it.
            if row.name == "chunked request" { isUnlocked = false }
            let wallet = try TestWallet(isUnlocked: isUnlocked, keys: Array(Recorded.walletKeys.prefix(1)))
            try Self.check(
                row, Served([row.bytes], by: wallet), Difference.ofHTTP)
        }
        #expect(rows.count == 50)
        Self.checkTable(Difference.ofHTTP, rows)
    }

    /// The wallet is as it was for the recording. Two rows need a file.
    @Test func bodies() throws {
        let rows = try Recorded.rows("bodies").filter { !$0.name.hasSuffix("file removed") }
        let locked = [
            "wrong password", "keys after open", "sign after the timeout", "keys after the timeout",
        ]
        for row in rows {
            let wallet = try TestWallet(
                password: Recorded.bodyPassword,
                isUnlocked: !row.name.hasPrefix("unlock") && !locked.contains(row.name),
                keys: Recorded.walletKeys)
            wallet.digestKeys = Set(try Recorded.walletPublicKeys.map { try PublicKey($0) })
            try Self.check(
                row, Served([row.bytes], by: wallet), Difference.ofBodies)
        }
        #expect(rows.count == 104)
        Self.checkTable(Difference.ofBodies, rows)
    }
}
