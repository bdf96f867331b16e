import Laws
import Testing

/// Each law holds for the values of the vectors, and for every input that broke it before. `make
/// fuzz` searches for more inputs.
struct LawsTests {
    @Test(arguments: allLaws) func seeds(law: any Law.Type) throws {
        let seeds = try law.seeds(Vectors.published.get())
        #expect(seeds.count > 10)
        for seed in seeds { try check(law, seed) }
    }

    @Test(arguments: allLaws) func regressions(law: any Law.Type) throws {
        for input in try Vectors.files(in: "Tests/Laws/Fuzz/Regressions/\(law.name)") {
            try check(law, input)
        }
    }

    /// A folder with any other name would never be replayed.
    @Test func everyRegressionFolderHasALaw() throws {
        let folders = try Vectors.names(in: "Tests/Laws/Fuzz/Regressions")
        #expect(!folders.isEmpty)
        #expect(Set(folders).isSubset(of: allLaws.map { $0.name }))
    }

    private func check(_ law: any Law.Type, _ input: [UInt8]) throws {
        do throws(LawBroken) { try law.check(input) } catch {
            Issue.record("\(law.name): \(error): \(String(decoding: input.prefix(400), as: UTF8.self))")
        }
    }
}
