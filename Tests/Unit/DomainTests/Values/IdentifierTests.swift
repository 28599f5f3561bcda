import Foundation
import StrataDomain
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    /// A type that is not `Sendable`, although its identifiers must be.
    private final class Confined {}

    @Test(
        "the numbers 1 to 2^53 - 1 are valid identifiers",
        arguments: [1, 2, 4_294_967_296, 9_007_199_254_740_991] as [Int64])
    func valid(value: Int64) throws {
        #expect(try Boss.ID(value).rawValue == value)
        #expect(Boss.ID(rawValue: value)?.description == String(value))
    }

    @Test(
        "a number outside the valid range throws an error with the number and the range",
        arguments: [0, -1, .min, 9_007_199_254_740_992, .max] as [Int64]
    )
    func invalid(value: Int64) {
        let error = #expect(throws: DomainError.self) { try Boss.ID(value) }
        #expect(error?.code == .invalidIdentifier)
        #expect(error?.description == "\(value) is not an identifier (1 to 9007199254740991)")
        #expect(Boss.ID(rawValue: value) == nil)
    }

    @Test("a number that exceeds 64 signed bits throws an error and does not end the program")
    func unsigned() {
        let error = #expect(throws: DomainError.self) { try Color.ID(UInt64.max) }
        #expect(error?.description == "18446744073709551615 is not an identifier (1 to 9007199254740991)")
        #expect(error?.type == "Identifier<Color>")
    }

    @Test("identifiers are ordered by number")
    func order() {
        #expect(([10, 9, 100] as [Color.ID]).sorted() == [9, 10, 100])
    }

    @Test("an identifier is encoded as one integer, and decoding validates the integer")
    func coding() throws {
        let decoded = try JSONDecoder().decode([Color.ID].self, from: Data("[7]".utf8))
        #expect(decoded == [7])
        #expect(String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self) == "[7]")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Color.ID].self, from: Data("[0]".utf8)) }
    }

    @Test("an identifier is Sendable even if its record type is not")
    func sendable() async throws {
        let id: Identifier<Confined> = 5
        #expect(await Task.detached { id.rawValue }.value == 5)
    }

    @Test("an identifier literal outside the valid range ends the program")
    func literal() async {
        await #expect(processExitsWith: .failure) {
            let id: Color.ID = 0
            print(id)
        }
    }
}
