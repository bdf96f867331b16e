/// A parameter of a profile, as the help describes it.
package struct ProfileParameter: Sendable {
    package let name: String
    /// Its values, or a description of them.
    private let values: String
    /// All values; nil if there are too many to list.
    package let choices: [String]?
    /// Used if the parameter is not given.
    package let usual: Default

    package enum Default: Equatable, Sendable {
        case value(String)
        case none
        /// It must be given.
        case required
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ choices: Choice.Type, default usual: Choice
    ) -> Self {
        let names = choices.allCases.map(\.rawValue)
        let last = names.last.map { names.count > 1 ? " or \($0)" : $0 } ?? ""
        return Self(
            name: name, values: names.dropLast().joined(separator: ", ") + last, choices: names,
            usual: .value(usual.rawValue))
    }

    static func number(_ name: String, in range: ClosedRange<UInt64>, _ unit: String, default usual: Default)
        -> Self
    {
        Self(
            name: name, values: "\(range.lowerBound) to \(range.upperBound) \(unit)", choices: nil,
            usual: usual)
    }

    static func text(_ name: String, _ values: String, default usual: Default) -> Self {
        Self(name: name, values: values, choices: nil, usual: usual)
    }

    /// `hash: sha1, sha256 or sha512 (default: sha256)`.
    package var text: String {
        switch usual {
        case .value(let value): "\(name): \(values) (default: \(value))"
        case .none: "\(name): \(values) (default: none)"
        case .required: "\(name): \(values) (required)"
        }
    }
}
