import CMemcheck
import Glibc

/// Runs cases with secrets that valgrind counts as uninitialised (`make ctime`). valgrind reports
/// whether time depends on a secret. This program checks that each case has the expected result,
/// and that secrets keep their mark to the end. Then it prints the source lines that classify or
/// disclose.
///
///     eosvault-ctime list       prints the names of all cases
///     eosvault-ctime run        runs the cases
///     eosvault-ctime plants     prints the names of all faults, and the report that each causes
///     eosvault-ctime plant X    commits the fault X
@main
struct CTime {
    static let groups: [[Case]] = [
        BytesCases.all, CodecCases.all, KeyTextCases.all, CurveCases.all, VaultCases.all,
        HTTPSigningCases.all, TPMCases.all, FIDO2Cases.all, SeedCases.all, OtherWalletCases.all,
    ]

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "list": for each in groups.joined() { print(each.name) }
        case "run": run(Array(arguments.dropFirst()))
        case "plant": plant(arguments.dropFirst().first ?? "")
        case "plants": for each in Plants.all { print(each.name, each.report) }
        default: fail("usage: eosvault-ctime list | run [CASE…] | plants | plant NAME")
        }
    }

    private static func run(_ chosen: [String]) {
        guard memcheck_is_running() != 0 else {
            fail("valgrind does not run this process, so nothing would be detected")
        }
        var failures: [String] = []
        for each in groups.joined() where chosen.isEmpty || chosen.contains(each.name) {
            do {
                try each.body()
                print("ran \(each.name)")
            } catch { failures.append("\(each.name): \(error)") }
        }
        guard failures.isEmpty else { fail(failures.joined(separator: "; ")) }
        if chosen.isEmpty { printSites() }
    }

    /// Prints each source line that classified or disclosed a secret, and how often.
    private static func printSites() {
        var sites = unsafe [memcheck_site](repeating: memcheck_site(), count: 256)
        let count = unsafe min(memcheck_sites(&sites, sites.count), sites.count)
        for index in 0..<count {
            let site = unsafe sites[index]
            unsafe print("site \(String(cString: site.file)):\(site.line) \(site.count)")
        }
    }

    private static func plant(_ name: String) {
        guard let plant = Plants.all.first(where: { $0.name == name }) else { fail("no plant \(name)") }
        do { try plant.body() } catch { fail("\(name): \(error)") }
        print("ran \(name)")
    }

    private static func fail(_ message: String) -> Never {
        let text = Array("ctime: \(message)\n".utf8)
        _ = unsafe write(STDERR_FILENO, text, text.count)
        exit(1)
    }
}

/// An operation on a secret.
struct Case: Sendable {
    let name: String
    let body: @Sendable () throws -> Void

    init(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
        self.name = name
        self.body = body
    }
}

/// An unexpected result of a case.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

func expect(_ condition: Bool, _ what: String) throws {
    guard condition else { throw Unexpected(description: what) }
}
