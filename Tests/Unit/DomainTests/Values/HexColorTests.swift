import Foundation
import StrataDomain
import Testing

@Suite("Hex colors")
struct HexColorTests {
    @Test(
        "every valid spelling of a color is converted to #RRGGBB in upper case",
        arguments: [
            ("#0aF", "#00AAFF"), ("0aF", "#00AAFF"), ("#00aaff", "#00AAFF"), ("00AAFF", "#00AAFF"),
            ("#12aB9f", "#12AB9F"), ("000", "#000000"), ("#FFFFFF", "#FFFFFF"),
        ]
    )
    func spelling(text: String, expected: String) throws {
        #expect(try HexColor(text).rawValue == expected)
        #expect(HexColor(rawValue: text)?.description == expected)
    }

    @Test(
        "a text that is not a color throws an error with the text and the expected form",
        arguments: ["#12", "", "#", "1234", "#12345", "1234567", "##123", "#GGG", " #123", "#12é", "#12\u{FF11}"]
    )
    func refusal(text: String) {
        let error = #expect(throws: DomainError.self) { try HexColor(text) }
        #expect(error?.code == .invalidColor)
        #expect(error?.description == "\"\(text)\" is not a color; use #RGB or #RRGGBB")
        #expect(HexColor(rawValue: text) == nil)
    }

    @Test("a color's red, green and blue components are read from its digits")
    func components() throws {
        let color = try HexColor("#0180FE")
        #expect([color.red, color.green, color.blue] == [1, 128, 254])
    }

    @Test(
        "a color that is created from components has these components and a valid text",
        arguments: UInt8.min...UInt8.max)
    func roundTrip(value: UInt8) throws {
        let color = HexColor(red: value, green: 255 - value, blue: value ^ 0x5A)
        #expect(try HexColor(color.rawValue.lowercased()) == color)
        #expect([color.red, color.green, color.blue] == [value, 255 - value, value ^ 0x5A])
    }

    @Test("colors are ordered by red, then green, then blue")
    func order() throws {
        let texts = ["#FF0000", "#0A0000", "#090000", "#0000FF", "#00FF00"]
        let sorted = try texts.map { try HexColor($0) }.sorted().map(\.rawValue)
        #expect(sorted == ["#0000FF", "#00FF00", "#090000", "#0A0000", "#FF0000"])
    }

    @Test("a color is encoded as one string, and decoding validates the string")
    func coding() throws {
        let decoded = try JSONDecoder().decode([HexColor].self, from: Data(#"["abc"]"#.utf8))
        #expect(String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self) == ##"["#AABBCC"]"##)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HexColor].self, from: Data(#"["abcd"]"#.utf8))
        }
    }
}
