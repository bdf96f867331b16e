import Codecs
import KeyVault
import Keys
import Seeds

/// The public details of a seed, and of a key that was derived from one, have one form each.
public enum StoredSeedLaw: Law {
    public static let name = "StoredSeed"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let stored = [
            StoredSeed(form: .words), StoredSeed(form: .masterSecret, next: 1 << 31),
            StoredSeed(form: .words, next: 0x0102_0304), StoredSeed(form: .words, isOnPaper: false),
            StoredSeed(form: .masterSecret, isOnPaper: false, next: 7),
        ]
        let points = try vectors.texts("seeds/bip32-vectors", "public_hex").prefix(3).map {
            try Hex.decode($0)
        }
        let paths: [[UInt32]] = [
            [0x8000_002c], [0x8000_002c, 0x8000_00c2, 0x8000_0000, 0, 7], Array(0..<10),
        ]
        return stored.map(\.details)
            + points.flatMap { point in
                paths.flatMap { path in
                    let levels = path.flatMap { level in (0..<4).map { UInt8(level >> (8 * $0) & 0xff) } }
                    return [point + levels, point + levels + [0]]
                }
            }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        if let seed = StoredSeed(details: input) {
            try law(seed.details == input, "the details of a seed are written as they were read")
            try law(seed.next <= 1 << 31, "indices are not hardened")
        }
        guard let origin = SeedOrigin(details: input) else { return }
        try law(origin.details == input, "the details of a derived key are written as they were read")
        let first = origin.seed.firstKeyOfSeed
        try law(first?.kind == .k1 && origin.seed.publicKey == nil, "the seed is named by a K1 key")
        let path = try must("the path is read again") { try DerivationPath(origin.path.text) }
        try law(path == origin.path, "its text is the same path")
    }
}
