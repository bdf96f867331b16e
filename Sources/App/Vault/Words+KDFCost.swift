import KeyVault
import Shell

extension KDFCostProblem {
    var words: Words {
        switch self {
        case .passes(let passes, let allowed):
            Words(
                .kdfCost,
                "\(Words.count(passes, "pass", "passes")) for the key derivation; "
                    + "\(allowed.lowerBound) to \(allowed.upperBound) are allowed",
                hint: passes < allowed.lowerBound ? Words.insecureHint : nil)
        case .memory(let bytes, let allowed):
            Words(
                .kdfCost,
                "\(Words.size(bytes)) for the key derivation; "
                    + "\(Words.size(allowed.lowerBound)) to \(Words.size(allowed.upperBound)) are allowed",
                hint: bytes < allowed.lowerBound ? Words.insecureHint : nil)
        case .memoryNotWholeKibibytes(let bytes): Words(.kdfCost, "\(bytes) bytes is not a multiple of 1024")
        case .together:
            Words(
                .kdfCost, "the key derivations of all slots together exceed the limit for one slot",
                hint: Words.restoreHint)
        case .memoryBeyondMachine(let bytes, let machine):
            Words(
                .kdfCost,
                "the key derivation needs \(Words.size(bytes)) of memory; this machine has \(Words.size(machine))",
                hint: "use a machine with more memory, or choose a smaller --kdf-memory for a new PIN")
        }
    }
}

extension Words {
    static let insecureHint =
        "fewer than 2 passes, or less than 64 MiB, requires --insecure-kdf, which is only for tests"
}
