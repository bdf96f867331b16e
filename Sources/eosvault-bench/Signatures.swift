import ArgumentParser
import CYardstick
import Curves
import SecureMemory

/// K1 signatures, their checks included, beside the bare loop in C.
struct Signatures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Canonical K1 signatures beside the same loop over libsecp256k1 in C.")

    private static let batch = 500

    func run() throws {
        let scalar = [UInt8](repeating: 7, count: 32)
        let key = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar))
        var counter: UInt64 = 0
        var digest = [UInt8](repeating: 0, count: 32)
        // The two in turn, so that both see the same machine.
        var rounds: [(ours: Double, yardstick: Double)] = []
        for _ in 0..<5 {
            let ours = try Stopwatch.rate {
                counter += 1
                var bytes = [UInt8](repeating: 0, count: 24)
                for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: counter >> UInt64(shift))) }
                _ = try key.sign(SigningDigest(bytes))
            }
            let start = Stopwatch.now
            guard unsafe yardstick_sign(scalar, &digest, Self.batch) == 0 else { throw ExitCode.failure }
            rounds.append((ours, Double(Self.batch) / (Stopwatch.now - start)))
        }
        let ratio = rounds.map { $0.ours / $0.yardstick }.sorted()[rounds.count / 2]
        let (ours, yardstick) = (rounds[0].ours, rounds[0].yardstick)
        print(
            "sign and recover: \(Int(ours)) a second; sign alone in C: \(Int(yardstick)); ratio (median of 5) \((ratio * 100).rounded() / 100)"
        )
    }
}
