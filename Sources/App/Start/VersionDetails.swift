import CCommit
import CLibraries
import CSQLite
import Shell

/// The output of `--version --verbose`: the release, the commit, and the linked libraries.
/// libsecp256k1 has no function that returns its version: the bill of materials lists it.
enum VersionDetails {
    static var text: String {
        let libraries: [(name: String, version: UnsafePointer<CChar>?)] = unsafe [
            ("libsodium", sodium_version_string()), ("libcrypto", OpenSSL_version(OPENSSL_VERSION_STRING)),
            ("sqlite", sqlite3_libversion()), ("zlib", zlibVersion()),
        ]
        let lines = unsafe libraries.map { library in
            unsafe "\(library.name) \(library.version.map { unsafe String(cString: $0) } ?? "unknown")"
        }
        return
            (["\(Program.name) \(Release.version)", "commit \(unsafe String(cString: commit_of_build()))"]
            + lines)
            .map { $0 + "\n" }.joined()
    }
}
