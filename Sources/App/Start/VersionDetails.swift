import CCommit
import CLibraries
import CSQLite
import Shell

/// What `--version --verbose` prints: the release, the commit, and the libraries in the program.
/// The bill of materials of a release has their versions too, and that of libsecp256k1, which has
/// no function for it.
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
            (["eosvault \(Release.version)", "commit \(unsafe String(cString: commit_of_build()))"] + lines)
            .map { $0 + "\n" }.joined()
    }
}
