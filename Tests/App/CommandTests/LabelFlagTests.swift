import Keys
import Shell
import Testing

@testable import App
@testable import KeyVault

/// The warnings about labels of existing vaults.
struct LabelFlagTests {
    private static func name(_ text: String) throws -> EntryName { try #require(EntryName(text)) }

    @Test func texts() throws {
        let (one, other) = (try Self.name("one"), try Self.name("other"))
        #expect(
            LabelFlag(name: one, reason: .refused(.mixedScripts)).text
                == "one: the label mixes letters of several scripts, which can look alike; "
                + "change it with `eosvault rename`")
        #expect(
            LabelFlag(name: one, reason: .alike(other)).text
                == "one: its label differs only in spelling from the label of other; "
                + "change it with `eosvault rename`")
    }
}
