import Testing

@testable import Policy

struct TextPatternTests {
}
