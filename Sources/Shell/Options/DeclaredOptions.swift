import ArgumentParser

/// The options of a command.
///
/// They are found by reflection, as the argument parser finds them. A property that declares an
/// option has the name of the option without hyphens: `blockID` declares `--block-id`
/// (RepeatedOptionTests).
package struct DeclaredOptions {
    /// The short names. Each means the same option in all commands.
    private static let shortNames = [
        "-c": "--chain", "-k": "--key", "-o": "--output", "-p": "--permission", "-x": "--expires",
    ]

    /// True for the properties of options that take one value.
    private var properties: [String: Bool] = [:]

    package init(of command: any ParsableArguments.Type) { add(command) }

    private mutating func add(_ arguments: any ParsableArguments.Type) {
        for child in Mirror(reflecting: arguments.init()).children {
            switch child.value {
            case let group as any DeclaredGroup: add(group.arguments)
            case let option as any DeclaredOption:
                properties[Self.property(child.label ?? "")] = option.takesOneValue
            default: break
            }
        }
    }

    package func contains(_ long: String) -> Bool { properties[Self.property(long)] != nil }

    /// True for an option that takes one value; false for another name.
    func takesOneValue(_ long: String) -> Bool { properties[Self.property(long)] ?? false }

    package static func longName(_ name: String) -> String { shortNames[name] ?? name }

    private static func property(_ name: String) -> String {
        name.drop { $0 == "-" || $0 == "_" }.filter { $0 != "-" }.lowercased()
    }
}

private protocol DeclaredOption { var takesOneValue: Bool { get } }

extension Option: DeclaredOption {
    fileprivate var takesOneValue: Bool { !(Value.self is any ListOfValues.Type) }
}

extension Flag: DeclaredOption {
    fileprivate var takesOneValue: Bool { false }
}

private protocol ListOfValues {}

extension Array: ListOfValues {}

private protocol DeclaredGroup { var arguments: any ParsableArguments.Type { get } }

extension OptionGroup: DeclaredGroup {
    fileprivate var arguments: any ParsableArguments.Type { Value.self }
}
