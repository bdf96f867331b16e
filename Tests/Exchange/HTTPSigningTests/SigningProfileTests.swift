import HTTPSigning
import Testing

/// The parameters of profiles, their stored form, and templates.
struct SigningProfileTests {
    private static let profiles: [(String, [String: String], String)] = [
        ("basic", [:], #"{"profile":"basic"}"#), ("bitbank", [:], #"{"profile":"bitbank","form":"nonce"}"#),
        (
            "bitbank", ["form": "time-window"],
            #"{"profile":"bitbank","form":"time-window","window":"5000"}"#
        ),
        ("snapcard", [:], #"{"profile":"snapcard"}"#), ("gamesystem", [:], #"{"profile":"gamesystem"}"#),
        ("binance", [:], #"{"profile":"binance"}"#),
        ("binance", ["window": "60000"], #"{"profile":"binance","window":"60000"}"#),
        (
            "hmac", ["template": #"{time}\n"{body}"#],
            #"{"profile":"hmac","template":"{time}\\n\"{body}","hash":"sha256","encoding":"hex","time-unit":"ms","#
                + #""signature-header":"X-Signature","signature-prefix":"","key-header":"X-Api-Key","time-header":"","#
                + #""nonce-header":"","digest-header":""}"#
        ),
        (
            "rfc9421", ["expires": "86400", "nonce": "yes"],
            #"{"profile":"rfc9421","components":"@method @target-uri content-digest","label":"sig1","#
                + #""expires":"86400","alg":"no","nonce":"yes"}"#
        ),
    ]

    @Test(arguments: profiles) func storedForm(name: String, parameters: [String: String], stored: String)
        throws
    {
        let profile = try SigningProfile(name: name, parameters: parameters)
        #expect(profile.name == name)
        #expect(String(decoding: profile.stored, as: UTF8.self) == stored)
        #expect(try SigningProfile(stored: profile.stored) == profile)
        #expect(try profile.replacing([:]) == profile)
        for (key, value) in parameters { #expect(profile.parameters.contains { $0 == (key, value) }) }
    }

    @Test func names() {
        #expect(
            SigningProfile.names == [
                "basic", "bitbank", "snapcard", "gamesystem", "binance", "hmac", "rfc9421",
            ])
    }

    @Test(
        arguments: [
            ("", .malformed), ("{}", .malformed), ("[]", .malformed), (#"{"profile":"basic"} "#, .malformed),
            (#"{"profile": "basic"}"#, .malformed), (#"{"profile":"bitbank"}"#, .malformed),
            (#"{"form":"nonce","profile":"bitbank"}"#, .malformed), (#"{"profile":1}"#, .malformed),
            (#"{"profile":"basic","a":{}}"#, .malformed), (#"{"profile":"basic","a":1}"#, .malformed),
            (#"{"profile":"basic","a":"1"}"#, .unknownParameter("a")),
            (#"{"profile":"other"}"#, .unknown("other")),
        ] as [(String, ProfileFault)])
    func refusedStoredForms(text: String, fault: ProfileFault) {
        #expect(throws: HTTPSigningError.profile(fault)) { try SigningProfile(stored: Array(text.utf8)) }
    }

    @Test(
        arguments: [
            ("other", [:], .unknown("other")), ("basic", ["window": "1"], .unknownParameter("window")),
            ("bitbank", ["form": "Nonce"], .invalidParameter("form")),
            ("bitbank", ["window": "1"], .unknownParameter("window")),
            ("bitbank", ["form": "time-window", "window": "0"], .invalidParameter("window")),
            ("bitbank", ["form": "time-window", "window": "60001"], .invalidParameter("window")),
            ("bitbank", ["form": "time-window", "window": "01"], .invalidParameter("window")),
            ("binance", ["window": "60001"], .invalidParameter("window")),
            ("binance", ["window": "+5"], .invalidParameter("window")),
            ("hmac", [:], .missingParameter("template")),
            ("hmac", ["template": "{body}", "hash": "md5"], .invalidParameter("hash")),
            ("hmac", ["template": "{body}", "encoding": "HEX"], .invalidParameter("encoding")),
            ("hmac", ["template": "{body}", "time-unit": "ns"], .invalidParameter("time-unit")),
            (
                "hmac", ["template": "{body}", "signature-prefix": "a\n"],
                .invalidParameter("signature-prefix")
            ),
            (
                "hmac", ["template": "{body}", "signature-prefix": " a"],
                .invalidParameter("signature-prefix")
            ),
            ("hmac", ["template": "{body}", "time-header": "X-Time"], .unsignedField("time")),
            ("hmac", ["template": "{body}", "nonce-header": "X-Nonce"], .unsignedField("nonce")),
            ("hmac", ["template": "{body}", "signature-header": ""], .headerName("")),
            ("hmac", ["template": "{body}", "signature-header": "a\r\nb"], .headerName("a\r\nb")),
            ("hmac", ["template": "{body}", "signature-header": "x-api-key"], .headerName("X-Api-Key")),
            ("hmac", ["template": "{body}", "time-header": "Host"], .headerName("Host")),
            ("hmac", ["template": "{body}", "key-header": "content-type"], .headerName("content-type")),
            ("rfc9421", ["components": ""], .invalidParameter("components")),
            ("rfc9421", ["components": "@method @method"], .invalidParameter("components")),
            ("rfc9421", ["components": "@status"], .invalidParameter("components")),
            ("rfc9421", ["components": "Date"], .invalidParameter("components")),
            ("rfc9421", ["components": "a\"b"], .invalidParameter("components")),
            ("rfc9421", ["components": "content-length"], .invalidParameter("components")),
            ("rfc9421", ["components": "signature"], .invalidParameter("components")),
            ("rfc9421", ["label": "Sig"], .invalidParameter("label")),
            ("rfc9421", ["label": ""], .invalidParameter("label")),
            ("rfc9421", ["label": "a b"], .invalidParameter("label")),
            ("rfc9421", ["expires": "86401"], .invalidParameter("expires")),
            ("rfc9421", ["alg": "true"], .invalidParameter("alg")),
            ("rfc9421", ["nonce": ""], .invalidParameter("nonce")),
        ] as [(String, [String: String], ProfileFault)])
    func refusedParameters(name: String, parameters: [String: String], fault: ProfileFault) {
        #expect(throws: HTTPSigningError.profile(fault)) {
            try SigningProfile(name: name, parameters: parameters)
        }
    }

    @Test(
        arguments: [
            ("", .noField, 0), ("text", .noField, 0), ("{body", .brace, 0), ("a}", .brace, 1),
            ("{body}}", .brace, 6),
            ("a{uri}", .unknownField("uri"), 2), ("{{body}}", .unknownField("{body"), 1),
            ("{}", .unknownField(""), 1),
            ("{body}\\", .escape, 6), ("\\t{body}", .escape, 0), ("{body}\n", .character, 6),
            ("{body}é", .character, 6),
            ("\0{body}", .character, 0),
            (String(repeating: "a", count: 1_025), .tooLong(limit: 1_024), 1_024),
        ] as [(String, TemplateFault, Int)])
    func refusedTemplates(text: String, fault: TemplateFault, offset: Int) {
        #expect(throws: HTTPSigningError.profile(.template(fault, offset: offset))) {
            try SigningTemplate(text)
        }
    }

    @Test(
        arguments: [
            ("basic", [:], false), ("bitbank", [:], true), ("bitbank", ["form": "time-window"], false),
            ("hmac", ["template": "{body}"], false), ("hmac", ["template": "{nonce}"], true),
            ("hmac", ["template": "{nonce}{body}", "nonce-header": "X-Nonce"], true), ("rfc9421", [:], false),
            ("rfc9421", ["nonce": "yes"], true),
        ] as [(String, [String: String], Bool)])
    func nonces(name: String, parameters: [String: String], usesNonce: Bool) throws {
        #expect(try SigningProfile(name: name, parameters: parameters).usesNonce == usesNonce)
    }

    @Test func replacedParameters() throws {
        let profile = try SigningProfile(name: "bitbank", parameters: ["form": "time-window"])
        #expect(try profile.replacing(["window": "1000"]).parameters.map(\.value) == ["time-window", "1000"])
        #expect(throws: HTTPSigningError.profile(.unknownParameter("window"))) {
            try SigningProfile(name: "snapcard").replacing(["window": "1"])
        }
    }

    /// The help lists exactly the parameters that the profiles read, with their defaults and all
    /// their choices.
    @Test func descriptionsAreTrue() throws {
        #expect(SigningProfile.descriptions.map(\.name) == SigningProfile.names)
        for (name, parameters) in SigningProfile.descriptions {
            let needed = name == "hmac" ? ["template": "{time}{nonce}"] : [:]
            let usual = try SigningProfile(name: name, parameters: needed)
            let described = Set(parameters.map(\.name))
            #expect(Set(usual.parameters.map(\.name)).subtracting(described).isEmpty)
            for parameter in parameters {
                let present = usual.parameters.first { $0.name == parameter.name }?.value
                switch parameter.usual {
                case .value(let value): #expect(present == nil || present == value, "\(parameter.text)")
                case .none: #expect(present == nil || present == "", "\(parameter.text)")
                case .required:
                    #expect(throws: HTTPSigningError.profile(.missingParameter(parameter.name))) {
                        try SigningProfile(name: name)
                    }
                }
                #expect(throws: (any Error).self, "\(parameter.text)") {
                    try SigningProfile(name: name, parameters: needed.merging([parameter.name: "\n"]) { $1 })
                }
                guard let choices = parameter.choices else { continue }
                for choice in choices {
                    let profile = try SigningProfile(
                        name: name, parameters: needed.merging([parameter.name: choice]) { $1 })
                    #expect(profile.parameters.contains { $0 == (parameter.name, choice) })
                }
            }
        }
    }
}
