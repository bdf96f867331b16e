import Testing
import Transactions

@testable import Policy

struct PolicySimulationTests {
    @Test func eachAllowedTransactionCounts() throws {
        let policy = try Sample.policy(limits: #"{"amount":"3.0000 EOS@eosio.token","per":"1h"}"#)
        func past(_ seconds: UInt32, _ quantity: String, id: UInt8) throws -> PastTransaction {
            PastTransaction(
                time: Sample.now + seconds, request: try Sample.request([Sample.transfer(quantity)], id: id))
        }
        let verdicts = try policy.simulate([
            past(0, "2.0000 EOS", id: 1), past(10, "2.0000 EOS", id: 2), past(20, "1.0000 EOS", id: 3),
            past(30, "2.0000 EOS", id: 1), past(3_614, "2.0000 EOS", id: 4), past(100, "0.0001 EOS", id: 5),
            past(100_000, "1.0000 EOS", id: 6),
        ])
        let isAllowed = verdicts.map { if case .allowed = $0 { true } else { false } }
        #expect(isAllowed == [true, false, true, true, true, false, true])
        guard case .denied(let denial) = verdicts[1], case .limit(let exceeded) = denial.reason,
            case .allowed(let last) = verdicts[6]
        else {
            Issue.record("\(verdicts)")
            return
        }
        #expect(exceeded.resets == Sample.now + 3_614)
        #expect(last.confirmations == [.clockStep(seconds: 96_386)])
    }

    /// An earlier time after a denied transaction counts as the time of the latter.
    @Test func timesDoNotGoBack() throws {
        let policy = try Sample.policy(limits: #"{"amount":"3.0000 EOS@eosio.token","per":"1h"}"#)
        let times: [(UInt32, String)] = [(0, "1.0000 EOS"), (3_614, "4.0000 EOS"), (10, "3.0000 EOS")]
        let verdicts = policy.simulate(
            try times.enumerated().map { index, one in
                PastTransaction(
                    time: Sample.now + one.0,
                    request: try Sample.request([Sample.transfer(one.1)], id: UInt8(index)))
            })
        let isAllowed = verdicts.map { if case .allowed = $0 { true } else { false } }
        #expect(isAllowed == [true, false, true])
    }

    @Test func withoutWindowsNothingIsKept() throws {
        let policy = try Sample.policy(limits: #"{"amount":"3.0000 EOS@eosio.token","per":"transaction"}"#)
        let request = try Sample.request([Sample.transfer("3.0000 EOS")])
        let verdicts = policy.simulate(
            [PastTransaction](repeating: PastTransaction(time: 5, request: request), count: 3))
        #expect(
            verdicts.allSatisfy {
                $0 == .allowed(PolicyAllowance(rules: [0], confirmations: [], entries: [], isRepeat: false))
            })
    }
}

extension KeyPolicy {
    fileprivate func simulate(_ transactions: [PastTransaction]) -> [PolicyVerdict] {
        var simulation = PolicySimulation(of: self)
        return transactions.map { simulation.judge($0) }
    }
}
