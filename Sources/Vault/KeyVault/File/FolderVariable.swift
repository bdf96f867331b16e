/// An environment variable with the path of a folder of the user.
package enum FolderVariable: String, Equatable, Sendable {
    case dataHome = "XDG_DATA_HOME"
    case stateHome = "XDG_STATE_HOME"
    case home = "HOME"

    /// - Parameters:
    ///   - value: the value of this variable; an empty one counts as not set.
    ///   - home: the value of HOME.
    ///   - otherwise: the folder below HOME that is used when this variable is not set.
    /// - Returns: nil when neither is set.
    func folder(_ value: String?, home: String?, otherwise: String) throws(VaultError) -> String? {
        if let value, !value.isEmpty {
            guard value.hasPrefix("/") else { throw .machine(.relativeFolder(self)) }
            return value
        }
        guard let home, !home.isEmpty else { return nil }
        guard home.hasPrefix("/") else { throw .machine(.relativeFolder(.home)) }
        return home + "/" + otherwise
    }
}
