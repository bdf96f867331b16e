import ABICodec
import JSON
import Transactions

/// An object of a policy, whose members have known names.
struct PolicyObject {
    private let members: [LocatedValue.Member]
    private let offset: Int
    private let known: [String]

    /// - Parameter refusing: false to refuse unknown members later, with `refuseUnknown`.
    init(_ value: LocatedValue, _ known: [String], refusing: Bool = true) throws(PolicyFault) {
        (members, offset, self.known) = (try value.members(), value.offset, known)
        if refusing { try refuseUnknown() }
    }

    func refuseUnknown() throws(PolicyFault) {
        for member in members where !member.key.isAny(of: known) {
            throw PolicyFault(reason: .unknownMember(member.key, known: known), offset: member.offset)
        }
    }

    subscript(_ name: String) -> LocatedValue? {
        members.first { $0.key.hasBytes(of: name) }?.value
    }

    func required(_ name: String) throws(PolicyFault) -> LocatedValue {
        guard let value = self[name] else { throw PolicyFault(reason: .missingMember(name), offset: offset) }
        return value
    }

    /// The elements of an optional list.
    func elements(_ name: String, limit: Int) throws(PolicyFault) -> [LocatedValue] {
        guard let value = self[name] else { return [] }
        let elements = try value.elements()
        guard elements.count <= limit else {
            throw PolicyFault(reason: .tooMany(limit: limit), offset: value.offset)
        }
        return elements
    }

    /// The member `name`, 1 to 64 printable characters.
    func name() throws(PolicyFault) -> String? {
        guard let value = self["name"] else { return nil }
        let text = try value.text()
        let scalars = text.unicodeScalars
        guard (1...64).contains(scalars.count), scalars.allSatisfy(\.isShown) else {
            throw value.fault(.label)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// True if the character is visible, or a space.
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }
}

extension LocatedValue {
    func fault(_ fault: PolicyValueFault) -> PolicyFault {
        PolicyFault(reason: .value(fault), offset: offset)
    }

    private func unexpected(_ kind: JSONKind) -> PolicyFault {
        PolicyFault(reason: .expected(kind, found: self.kind), offset: offset)
    }

    /// A text for messages.
    var excerpt: String {
        switch content {
        case .scalar(let value): value.string ?? value.text()
        case .array, .unread(.array, _): "[…]"
        case .object, .unread: "{…}"
        }
    }

    func text() throws(PolicyFault) -> String {
        guard let text = scalar?.string else { throw unexpected(.string) }
        return text
    }

    /// The text of a string, an integer or a boolean.
    func scalarText() throws(PolicyFault) -> String {
        guard let scalar, !scalar.isNull, scalar.number.map({ Bound($0) != nil }) ?? true else {
            throw fault(.scalar)
        }
        return excerpt
    }

    func boolean() throws(PolicyFault) -> Bool {
        guard case .scalar(.boolean(let value)) = content else { throw unexpected(.boolean) }
        return value
    }

    func integer(_ range: ClosedRange<UInt32>) throws(PolicyFault) -> UInt32 {
        guard let text = scalar?.number else { throw unexpected(.number) }
        guard let number = UInt32(text), range.contains(number) else { throw fault(.integer(range)) }
        return number
    }

    func choice(_ texts: [String]) throws(PolicyFault) -> String {
        let text = try text()
        guard texts.contains(where: { $0.hasBytes(of: text) }) else {
            throw fault(.notOneOf(texts))
        }
        return text
    }

    /// The result of reading this value; nil is refused.
    func expect<Value>(_ value: Value?, orThrow fault: PolicyValueFault) throws(PolicyFault) -> Value {
        guard let value else { throw self.fault(fault) }
        return value
    }

    func chain(_ names: ChainNames) throws(PolicyFault) -> ChainID {
        let text = try text()
        do throws(ChainError) { return try names.id(text) } catch { throw fault(.chain(error)) }
    }

    func name() throws(PolicyFault) -> Name { try expect(Name(exactly: text()), orThrow: .name) }

    func token() throws(PolicyFault) -> Token { try expect(Token(text()), orThrow: .token) }

    func pointer() throws(PolicyFault) -> FieldPointer { try expect(FieldPointer(text()), orThrow: .pointer) }

    func bound() throws(PolicyFault) -> Bound {
        let text = scalar?.number ?? scalar?.string
        return try expect(text.flatMap { Bound($0) }, orThrow: .bound)
    }

    func elements() throws(PolicyFault) -> [LocatedValue] {
        guard case .array(let elements) = content else { throw unexpected(.array) }
        return elements
    }

    func members() throws(PolicyFault) -> [Member] {
        guard case .object(let members) = content else { throw unexpected(.object) }
        return members
    }

    /// The values of a list that is not empty and has none twice.
    func list<Value: Hashable>(_ read: (LocatedValue) throws(PolicyFault) -> Value) throws(PolicyFault)
        -> [Value]
    {
        let elements = try elements()
        guard !elements.isEmpty else { throw fault(.empty) }
        var (values, seen): ([Value], Set<Value>) = ([], [])
        for element in elements {
            let value = try read(element)
            guard seen.insert(value).inserted else { throw element.fault(.duplicate(element.excerpt)) }
            values.append(value)
        }
        return values
    }
}
