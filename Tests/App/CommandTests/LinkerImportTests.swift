import Glibc
import TestSupport
import Testing

/// The functions that our own objects import. None of them reaches the network, looks up a name or
/// a user, loads code, or starts a program, a process or a thread.
///
/// libcrypto's archive imports such functions, but nothing calls them: `network.txt` and the
/// sandbox prove that the program makes no such call.
struct LinkerImportTests {
    private static let network: Set = [
        "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "send", "sendto", "sendmsg",
        "sendmmsg", "recv",
        "recvfrom", "recvmsg", "recvmmsg", "shutdown", "setsockopt", "getsockopt", "getsockname",
        "getpeername",
        "getifaddrs",
        "if_nametoindex", "if_indextoname", "if_nameindex", "syslog", "openlog",
    ]

    /// Prefixes of functions for names of hosts, services and users: glibc asks nscd or loads a
    /// library for them.
    private static let lookUps = [
        "getaddrinfo", "getnameinfo", "gethost", "getnet", "getserv", "getproto", "getpw", "getgr", "getsp",
        "setpw",
        "setgr", "initgroups",
        "getlogin", "res_", "ns_", "wordexp", "iconv_open",
    ]

    /// Functions for code, programs, processes and threads.
    private static let code: Set = [
        "dlopen", "dlmopen", "dlsym", "dlvsym", "execv", "execve", "execvp", "execvpe", "execveat", "execl",
        "execle",
        "execlp", "fexecve",
        "posix_spawn", "posix_spawnp", "system", "popen", "fork", "vfork", "clone", "pthread_create",
        "thrd_create",
        "ptrace",
        "process_vm_readv", "process_vm_writev", "memfd_create",
    ]

    private static func isForbidden(_ name: String) -> Bool {
        let plain = name.hasPrefix("__") ? String(name.dropFirst(2)) : name
        return network.contains(plain) || code.contains(plain) || lookUps.contains { plain.hasPrefix($0) }
    }

    /// The targets of Sources that are built into the program.
    private static let targets = cTargets.union([
        "Messages", "Files", "JSON", "SecureMemory", "Codecs", "WordLists", "Hardening", "Keys", "Seeds",
        "ABICodec",
        "Transactions",
        "SigningRequests",
        "AirGap", "HTTPSigning", "OtherWallets", "Tokens", "TPM", "FIDO2", "VectorSuite", "KeyVault",
        "Policy", "Signing",
        "Shell",
        "App",
        "eosvault",
    ])

    private static let cTargets: Set = [
        "CSystem", "CSandbox", "CCommit", "CNoFoundation", "CHelper", "CP256", "CAES", "CHMAC", "CWallets",
        "CTPM", "CFIDO2",
    ]

    /// `CHelper` starts eosvault-token before the sandbox, for a vault that names tokens.
    private static let ofHelper: Set = ["fork", "execv"]

    /// The targets of Sources that only eosvault-token has, and the calls of this kind in them.
    private static let ofToken: [String: Set<String>] = [
        "CToken": ["dlopen", "dlsym"], "eosvault-token": [],
    ]

    @Test(arguments: ofToken.keys.sorted())
    func tokenImportsNoNetwork(target: String) throws {
        let folder = try BuiltProgram.folder + "/\(target.replacing("-", with: "_")).build"
        let imports = try Self.imports(of: Self.objects(in: folder))
        #expect(!imports.isEmpty)
        #expect(Set(imports.filter(Self.isForbidden)) == Self.ofToken[target])
    }

    /// The targets of Sources that only eosvault-scan has. It starts processes, and opens no
    /// network connection either.
    private static let scanTargets: Set = ["CScan", "Scanning", "eosvault-scan"]

    /// The targets of Sources that only eosvault-agent has. It serves a Unix socket, starts
    /// threads, and can start one program.
    private static let agentTargets: Set = ["CAgent", "WalletAPI", "eosvault-agent"]

    /// The libraries for apps, which no program of ours has.
    private static let libraries: Set = ["Antelope", "EOSVault"]

    /// An app keeps its own process: the libraries start no thread, process or connection. They are
    /// built for tests only, next to this test.
    @Test(arguments: libraries.sorted())
    func libraryImportsNothingForbidden(library: String) throws {
        let objects = Self.objects(in: BuiltProgram.debugFolder + "/\(library).build")
        let imports = try Self.imports(of: objects)
        #expect(imports.contains { $0.hasPrefix("$s") })
        #expect(imports.filter { Self.isForbidden($0) || $0 == "syscall" } == [])
    }

    /// The calls of this kind that a target of the agent makes.
    private static let ofAgent: [String: Set<String>] = [
        "WalletAPI": [],
        "CAgent": ["accept4", "getsockopt", "sendmsg", "recvmsg", "fork"],
        "eosvault-agent": [
            "socket", "socketpair", "connect", "bind", "listen", "send", "recv", "getsockopt", "shutdown",
            "pthread_create",
        ],
    ]

    @Test(arguments: agentTargets.sorted())
    func agentImportsOnlyCallsOfUnixSockets(target: String) throws {
        let folder = try BuiltProgram.folder + "/\(target.replacing("-", with: "_")).build"
        let imports = try Self.imports(of: Self.objects(in: folder))
        #expect(!imports.isEmpty)
        #expect(Set(imports.filter(Self.isForbidden)).subtracting(Self.ofAgent[target] ?? []) == [])
        // CAgent executes a program by its descriptor. The locks of threads wait with `syscall`.
        #expect(imports.contains("syscall") == (target != "WalletAPI"))
    }

    @Test(arguments: scanTargets.sorted())
    func scanImportsNoNetwork(target: String) throws {
        let folder = try BuiltProgram.folder + "/\(target.replacing("-", with: "_")).build"
        let objects = Self.objects(in: folder)
        #expect(!objects.isEmpty)
        let imports = try Self.imports(of: objects)
        #expect(!imports.isEmpty)
        let forbidden = Self.network.union(Self.code).subtracting(target == "CScan" ? ["fork"] : [])
        #expect(imports.filter { forbidden.contains($0) || Self.lookUps.contains(where: $0.hasPrefix) } == [])
    }

    @Test func allTargetsAreListed() {
        let sources = repositoryRoot + "/Sources"
        let targets = Files.names(in: sources).filter { $0 != "README.md" }.flatMap { layer in
            // A layer of one target has no folders for targets.
            ["App", "Shell"].contains(layer)
                ? [layer] : Files.names(in: sources + "/" + layer).map { layer + "/" + $0 }
        }
        let others = Self.scanTargets.union(Self.agentTargets).union(Self.libraries).union([
            "CYardstick", "Interface.txt", "eosvault-bench", "eosvault-manual",
        ]).union(Self.ofToken.keys)
        let ours = targets.filter { !others.contains(String($0.split(separator: "/").last ?? "")) }
        // A system library has a module map and no object.
        let withObjects = ours.filter { !Files.names(in: sources + "/" + $0).contains("module.modulemap") }
        #expect(
            Set(withObjects.compactMap { $0.split(separator: "/").last.map(String.init) }) == Self.targets)
    }

    @Test(arguments: targets.sorted())
    func importsNothingForbidden(target: String) throws {
        let folder = try BuiltProgram.folder + "/\(target).build"
        let objects = Self.objects(in: folder)
        #expect(!objects.isEmpty)
        let imports = try Self.imports(of: objects)
        #expect(
            imports.contains("memcpy") || imports.contains { $0.hasPrefix("$s") }
                || Self.cTargets.contains(target))
        #expect(Set(imports.filter(Self.isForbidden)) == (target == "CHelper" ? Self.ofHelper : []))
        // `syscall` can make any call by its number. Only two targets use it, and a review can
        // cover their few calls.
        #expect(imports.contains("syscall") == ["CSystem", "CSandbox"].contains(target))
    }

    /// Proves that the check finds forbidden functions: libcrypto imports some.
    @Test func libcryptoIsRecognised() throws {
        let archives = ["x86_64", "aarch64"].map { (processor: String) -> String in
            "/usr/lib/\(processor)-linux-gnu/libcrypto.a"
        }
        let archive = try #require(archives.first { access($0, R_OK) == 0 })
        let found = Set(try Self.imports(of: [archive]).filter(Self.isForbidden))
        #expect(
            found.isSuperset(of: ["socket", "connect", "getaddrinfo", "getnameinfo", "dlopen"]), "\(found)")
    }

    // MARK: nm

    private static func imports(of files: [String]) throws -> [String] {
        let run = try Child(
            path: "/usr/bin/nm", arguments: ["--undefined-only", "--format=posix"] + files,
            environment: ["LC_ALL": "C"], directory: "/"
        ).run()
        #expect(run.status == 0, "\(String(decoding: run.error, as: UTF8.self))")
        return String(decoding: run.output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.count >= 2 && ["U", "w", "v"].contains(words[1])
                ? String(words[0].prefix { $0 != "@" }) : nil
        }
    }

    private static func objects(in folder: String) -> [String] {
        Files.names(in: folder).filter { $0.hasSuffix(".o") }.map { folder + "/" + $0 }
    }
}
