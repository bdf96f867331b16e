import CChild
import CFaults
import TestSupport
import Testing

/// The features that the file system of a run lacks. They decide how a new file gets its name
/// (`NewFile.Naming`).
struct Lack: OptionSet, Sendable, CustomTestStringConvertible {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// O_TMPFILE
    static let unnamed = Lack(rawValue: UInt32(CHILD_LACKS_UNNAMED))
    /// renameat2(2)
    static let rename = Lack(rawValue: UInt32(CHILD_LACKS_RENAME))
    /// linkat(2)
    static let link = Lack(rawValue: UInt32(CHILD_LACKS_LINK))

    /// One value for each naming of a public file, if the file system of the tests lacks nothing.
    /// In the short form, only the first naming and the last.
    static let each: [Lack] =
        Torture.isLong ? [[], .unnamed, [.unnamed, .rename], [.unnamed, .rename, .link]] : eachForSecrets
    /// One value for each naming of a secret file. A secret file has no temporary name.
    static let eachForSecrets: [Lack] = [[], [.unnamed, .rename, .link]]

    /// The features that the file system of a folder itself lacks.
    init(of folder: String) { self.init(rawValue: faults_lacks(folder)) }

    /// How the program names a new file on such a file system.
    func naming(ofSecret isSecret: Bool) -> Program.Run.Naming {
        if isDisjoint(with: [.unnamed, .link]) { return .linkingUnnamed }
        if isSecret { return .inPlace }
        if !contains(.rename) { return .renaming }
        return contains(.link) ? .inPlace : .linking
    }

    var testDescription: String {
        let names = [(Lack.unnamed, "O_TMPFILE"), (.rename, "renameat2"), (.link, "linkat")].filter {
            contains($0.0)
        }
        .map(\.1)
        return names.isEmpty ? "nothing lacking" : "without " + names.joined(separator: ", ")
    }
}

extension Program.Run {
    /// The cases of `NewFile.Naming`.
    enum Naming {
        case linkingUnnamed, renaming, linking, inPlace
    }

    /// How the recorded file got its name; nil if it was not made, or was made by another call.
    var naming: Naming? {
        guard let named else { return nil }
        switch Int(calls[named]) {
        case FAULTS_SYSTEM_RENAME: return .renaming
        // A temporary name is linked only when it could not be renamed.
        case FAULTS_SYSTEM_LINK:
            return calls[..<named].contains(Int32(FAULTS_SYSTEM_RENAME)) ? .linking : .linkingUnnamed
        case FAULTS_SYSTEM_OPEN: return .inPlace
        default: return nil
        }
    }
}
