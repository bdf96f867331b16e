import HTTPSigning
import Testing

struct HTTPTextTests {
    @Test(arguments: ["GET", "POST", "X-Own", "get-it", "a"]) func methods(text: String) throws {
        #expect(try HTTPMethod(text).text == text)
    }

    @Test(
        arguments: [
            ("", .empty), (String(repeating: "A", count: 33), .tooLong(limit: 32)),
            ("GE T", .character(offset: 2)),
            ("GET\n", .character(offset: 3)), ("GET\r\nHost: x", .character(offset: 3)),
            ("G\0", .character(offset: 1)),
            ("GÉT", .character(offset: 1)), ("GET/", .character(offset: 3)),
            ("get", .letterCase(standard: "GET")),
            ("Post", .letterCase(standard: "POST")), ("connect", .letterCase(standard: "CONNECT")),
            ("CONNECT", .connect),
        ] as [(String, MethodFault)])
    func refusedMethods(text: String, fault: MethodFault) {
        #expect(throws: HTTPSigningError.method(fault)) { try HTTPMethod(text) }
    }

    @Test(
        arguments: [
            ("", .empty), (String(repeating: "a", count: 257), .tooLong(limit: 256)),
            (" a", .character(offset: 0)),
            ("a ", .character(offset: 1)), ("a\nb", .character(offset: 1)), ("a\rb", .character(offset: 1)),
            ("a\0", .character(offset: 1)), ("a\tb", .character(offset: 1)), ("aé", .character(offset: 1)),
            ("a\u{7f}", .character(offset: 1)),
        ] as [(String, TextFault)])
    func refusedKeyIDsAndValues(text: String, fault: TextFault) {
        #expect(throws: HTTPSigningError.keyID(fault)) { try KeyID(text) }
        if text.utf8.count > 256 { return }
        #expect(throws: HTTPSigningError.header(fault)) { try HTTPHeader("Name", text) }
    }

    @Test(
        arguments: [
            ("", .empty), (String(repeating: "a", count: 129), .tooLong(limit: 128)),
            ("A:", .character(offset: 1)),
            ("A B", .character(offset: 1)), ("A\n", .character(offset: 1)), ("Ä", .character(offset: 0)),
            ("@A", .character(offset: 0)),
        ] as [(String, TextFault)])
    func refusedHeaderNames(name: String, fault: TextFault) {
        #expect(throws: HTTPSigningError.header(fault)) { try HTTPHeader(name, "value") }
    }

    @Test func longValue() {
        #expect(throws: HTTPSigningError.header(.tooLong(limit: 8_192))) {
            try HTTPHeader("A", String(repeating: "a", count: 8_193))
        }
    }

    @Test func plainTexts() throws {
        #expect(try KeyID("an id: ~!").text == "an id: ~!")
        #expect(try HTTPHeader("X-Test", "a b").value == "a b")
    }

    @Test(
        arguments: [
            (253_402_300_799, .seconds, true), (253_402_300_800, .seconds, false),
            (.max, .microseconds, false),
            (.max, .seconds, false), (253_402_300_799_999, .milliseconds, true), (0, .seconds, true),
        ] as [(UInt64, TimeUnit, Bool)])
    func times(value: UInt64, unit: TimeUnit, isValid: Bool) throws {
        if isValid {
            #expect(try RequestTime(value, unit).value(in: unit) == value)
        } else {
            #expect(throws: HTTPSigningError.request(.timeOutOfRange)) { try RequestTime(value, unit) }
        }
    }

    @Test func timesAreRoundedDown() throws {
        let time = try RequestTime(1_999_999, .microseconds)
        #expect(TimeUnit.allCases.map(time.value) == [1_999, 1_999_999, 1])
    }
}
