import JSON
import VectorSuite

/// A file of vectors: whatever it contains, each of its tests is counted exactly once.
public enum VectorFileLaw: Law {
    public static let name = "VectorFile"

    /// A selection of tests of each kind, each in its own file.
    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let kinds = [
            ("abi", "abi"), ("private-keys", ""), ("public-keys", ""), ("sign-digest", ""),
            ("signatures", ""),
            ("transactions", "abis"),
            ("verify-signatures", ""), ("qr", ""), ("ur", ""), ("http-signatures", ""),
        ]
        return kinds.flatMap { file, shared in
            let tests = vectors.tests(file)
            return stride(from: 0, to: tests.count, by: max(1, tests.count / 24)).map { index in
                var members = [
                    JSONMember("schema", .string(VectorFile.schema)),
                    JSONMember("kind", vectors[file, "kind"]),
                    JSONMember("tests", .array([tests[index]])),
                ]
                if !shared.isEmpty {
                    members.append(
                        JSONMember(shared, Self.part(of: vectors[file, shared], for: tests[index])))
                }
                return Array(JSONValue.object(members).text().utf8)
            }
        }
    }

    /// The part of the shared ABIs that a test needs: a single ABI, or the ABIs of the contracts
    /// that the test names.
    private static func part(of shared: JSONValue, for test: JSONValue) -> JSONValue {
        guard shared["version"] == nil, let members = shared.object else { return shared }
        let names = test["abis"]?.array?.compactMap(\.string) ?? []
        return .object(members.filter { names.contains($0.key) })
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let report = try? VectorFile.check(input) else { return }
        let tests = (try? JSONValue.parse(input))?["tests"]?.array ?? []
        try law(report.count == tests.count, "\(report.count) of \(tests.count) tests are counted")
        let known = Set(tests.compactMap { test in test["id"].map { $0.text() } })
        let failed = report.failures.map(\.id)
        try law(
            report.passed <= known.count,
            "each test that passed has a unique id: \(report.passed) of \(known.count), \(failed)")
    }
}
