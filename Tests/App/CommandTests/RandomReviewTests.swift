import ABICodec
import JSON
import Keys
import Laws
import Shell
import Signing
import Testing
import Transactions

@testable import App

/// The text of transactions that were damaged at random. `ReviewLaw` states what a review
/// guarantees; these tests state what its rows do.
struct RandomReviewTests {
    private static let changesPerSeed = 12

    @Test func rowsArePrintableAndFit() throws {
        var random = RandomText(seed: 13)
        var count = 0
        let own = OwnKeys(try SampleReview.own())
        for seed in try ReviewLaw.seeds(Vectors.published.get()) {
            for round in 0...Self.changesPerSeed {
                let bytes = round == 0 ? seed : Self.changed(seed, &random)
                guard let transaction = try? SignedTransaction(packed: bytes),
                    let review = try? Self.review(transaction)
                else { continue }
                count += 1
                let text = ReviewText(
                    review: review, now: 1_796_000_000, own: own,
                    width: Int.random(in: 20...200, using: &random))
                Self.check(text)
            }
        }
        #expect(count > 300)
    }

    private static func review(_ transaction: SignedTransaction) throws -> Review {
        let actions = transaction.transaction.contextFreeActions + transaction.transaction.actions
        return try Review(
            of: transaction, chain: ChainID("eos"), abis: ContractABIs(),
            blind: Set(actions.compactMap { ActionPattern("\($0.account.text)::\($0.name.text)") }))
    }

    private static func changed(_ bytes: [UInt8], _ random: inout RandomText) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 1: bytes.remove(at: index)
            default: bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    private static func check(_ text: ReviewText) {
        let rows = text.body + text.tail
        for row in rows {
            #expect(row.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(row)")
            #expect(row.count <= text.width, "\(text.width): \(row)")
        }
        // No row of a value starts like a row of the program.
        let count = text.review.actions.count
        #expect(rows.count { $0.hasPrefix("action ") } == count)
        #expect(rows.count { $0.hasPrefix("SUMMARY ") } == 1)
        let json = Printable.json(text.json)
        #expect(json.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        let actions = text.json["actions"]?.array ?? []
        #expect(actions.count == count)
        for (shown, action) in zip(actions, text.review.actions.map(\.action)) {
            guard let data = shown["data"], !data.isNull,
                let types = try? ContractABIs().types(account: action.account, action: action.name)
            else { continue }
            let bytes = types.compactMap { try? $0.type.encode(json: Array(data.text().utf8)) }
            #expect(bytes.contains(action.data))
        }
    }
}
