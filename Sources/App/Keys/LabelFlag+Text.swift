import KeyVault
import Shell

extension LabelFlag {
    /// A warning of one line.
    var text: String {
        switch reason {
        case .refused(let problem): "\(name): \(problem.text); change it with `eosvault rename`"
        case .alike(let other):
            "\(name): its label differs only in spelling from the label of \(other); "
                + "change it with `eosvault rename`"
        }
    }
}
