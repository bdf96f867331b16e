import Glibc
import TestSupport
import Testing

/// Every file of Scripts is a test.
struct ScriptTests {
    static let folder: String = {
        // The scripts are in the folder of this source file.
        let file = #filePath
        return String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) + "/Scripts"
    }()

    /// The vectors of this repository.
    static let vectors = repositoryRoot + "/Vectors"

    /// All scripts, or only the script in EOSVAULT_SCRIPT.
    static let names: [String] = {
        if let name = getenv("EOSVAULT_SCRIPT") { return [String(cString: name)] }
        return Files.names(in: folder).filter { $0.hasSuffix(".txt") }
    }()

    @Test func scriptsAreFound() {
        #expect(!Self.names.isEmpty)
    }

    @Test(arguments: names)
    func script(name: String) throws {
        let text = String(decoding: try ScriptRunner.contents(of: Self.folder + "/" + name), as: UTF8.self)
        try ScriptRunner(name: name, text: text).run()
    }
}
