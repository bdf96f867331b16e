import CResidue
import Glibc
import TestSupport
import Testing

/// Checks the search itself: it must find planted secrets in each place and in each form.
struct PlantTests {
    let folder = Result { try TemporaryFolder() }
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }

    private func watch(_ arguments: [String]) throws -> Watch {
        Watch(
            path: BuiltProgram.debugFolder + "/residue-plant", arguments: arguments,
            folder: try folder.get().path)
    }

    private func run(_ place: String, _ secret: Secret, planting planted: [UInt8]? = nil) throws
        -> Watch.Report
    {
        let table = try SecretTable()
        try table.add(secret)
        var watch = try watch([place])
        watch.input = planted ?? secret.bytes
        if place == "terminal" { watch.answers = [] }
        return try watch.run(table)
    }

    /// A text that the report of a finding contains for each place.
    static let places = [
        ("heap", "[heap]"), ("stack", "[stack]"), ("thread-stack", "rw-p"), ("data", "residue-plant"),
        ("no-access", "---p"),
        ("locked", "lo"), ("file-mapping", "r--p"), ("shared-file", "rw-s"),
        ("general-register", "general registers"),
        ("vector-register", "vector registers"), ("stdout", "in standard output"),
        ("stderr", "in standard error"),
        ("terminal", "in the terminal"), ("file", "in the file written"),
    ]

    @Test(arguments: places) func isFound(in place: String, _ words: String) throws {
        let report = try run(place, .bytes("planted", bytes))
        #expect(report.status == 0)
        #expect(
            report.residues.contains { $0.contains("planted, bytes") && $0.contains(words) },
            "\(report.residues)")
        // Only in this place.
        #expect(report.residues.allSatisfy { $0.contains(words) }, "\(report.residues)")
    }

    @Test func nothingIsFoundWithoutAPlant() throws {
        let report = try run("nowhere", .bytes("planted", bytes))
        #expect(report.status == 0 && report.stops >= 2)
        #expect(report.residues == [])
        #expect(report.guarded > 0, "the secret in its guarded allocation was not found")
    }

    /// A guarded allocation may contain the secret, but not at the end of the program.
    @Test func isFoundAtTheEndEvenIfGuarded() throws {
        let report = try run("kept", .bytes("planted", bytes))
        #expect(!report.residues.isEmpty)
        #expect(
            report.residues.allSatisfy { $0.contains("at exit_group") && $0.contains(" lo ") },
            "\(report.residues)")
    }

    /// The program should have wiped the secret before any output.
    @Test func isFoundWhenHeldTooLong() throws {
        let table = try SecretTable()
        try table.add(.bytes("planted", bytes))
        var watch = try watch(["guarded"])
        (watch.input, watch.held) = (bytes, [])
        let report = try watch.run(table)
        #expect(
            !report.residues.isEmpty
                && report.residues.allSatisfy { $0.contains("at write to descriptor 1") },
            "\(report.residues)")
    }

    @Test func isFoundInTheArgumentsAndTheEnvironment() throws {
        let text = String(decoding: bytes.map { 0x21 + $0 % 0x5e }, as: UTF8.self)
        let table = try SecretTable()
        try table.add(.text("planted", text))
        var watch = try watch(["nowhere", text])
        watch.input = Array("not the secret, but as long".utf8)
        #expect(try watch.run(table).residues.contains { $0.contains("/proc/PID/cmdline") })
        watch.arguments = ["nowhere"]
        watch.environment = ["PLANTED": text]
        let residues = try watch.run(table).residues
        #expect(
            residues.contains { $0.contains("/proc/PID/environ") }
                && !residues.contains { $0.contains("/proc/PID/cmdline") })
    }

    /// Tests each form of a secret by its first and its last piece.
    @Test func isFoundInEachForm() throws {
        let key = try Secret.key("key", [0x11] + bytes.dropFirst())
        let pin = Secret.text("PIN", "k3/T)w8#qZ~v2P.m")
        // HMAC hashes the long one first.
        let credentials = [43, 150].map { Secret.credential("credential", VaultFixture.randomSecret($0)) }
        for secret in [key, pin, try Secret.phrase("phrase", bytes)] + credentials {
            for form in secret.forms {
                for piece in [form.pieces.first, form.pieces.last] {
                    let piece = try #require(piece, "\(secret.name), \(form.name): no pieces")
                    // Surrounds the piece with bytes that are not part of the secret.
                    let planted =
                        [UInt8](repeating: 0xee, count: 8) + form.bytes[piece]
                        + [UInt8](repeating: 0xee, count: 8)
                    let report = try run("heap", secret, planting: planted)
                    #expect(
                        report.residues.contains { $0.contains("\(secret.name), \(form.name)") },
                        "\(secret.name), \(form.name) at \(piece)"
                    )
                }
            }
        }
    }
}
