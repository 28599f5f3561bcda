import Foundation
import Testing

@testable import StrataFixtures

@Suite("Word lists")
struct WordListTests {
    /// A list of names and its minimum count.
    struct Names: Sendable, CustomTestStringConvertible {
        let title: String
        let names: [String]
        let minimum: Int

        var testDescription: String { title }
    }

    static let lists: [Names] =
        NameLists.all.flatMap { list in
            let isEnglish = list.code == "en"
            return [
                Names(
                    title: "given names of the locale \(list.code)", names: list.givenNames,
                    minimum: isEnglish ? 96 : 48),
                Names(
                    title: "family names of the locale \(list.code)", names: list.familyNames,
                    minimum: isEnglish ? 128 : 64),
            ]
        } + [
            Names(title: "modifiers of color names", names: ColorNames.modifiers, minimum: 40),
            Names(title: "hues of color names", names: ColorNames.hues, minimum: 96),
            Names(title: "materials of item names", names: ItemNames.materials, minimum: 48),
            Names(title: "kinds of item names", names: ItemNames.kinds, minimum: 48),
            Names(title: "nouns of item names", names: ItemNames.nouns, minimum: 96),
        ]

    @Test("a word list has enough names, and no name is empty or repeated", arguments: lists)
    func size(_ list: Names) {
        #expect(list.names.count >= list.minimum)
        #expect(!list.names.contains(""))
        #expect(repeated(list.names) == [])
    }

    @Test(
        "words have no surplus spaces, separators, quotes, line breaks, control characters or digits",
        arguments: lists)
    func characters(_ list: Names) {
        let forbidden = CharacterSet(charactersIn: ",;|\"\\`\u{201C}\u{201D}")
            .union(.controlCharacters).union(.newlines).union(.decimalDigits)
        for name in list.names {
            #expect(name.trimmingCharacters(in: .whitespacesAndNewlines) == name)
            #expect(!name.contains("  "))
            #expect(name.unicodeScalars.allSatisfy { $0 == " " || !CharacterSet.whitespaces.contains($0) })
            #expect(name.rangeOfCharacter(from: forbidden) == nil, "\(name)")
        }
    }

    @Test("all words are in precomposed Unicode form", arguments: lists)
    func composition(_ list: Names) {
        for name in list.names {
            #expect(Array(name.utf8) == Array(name.precomposedStringWithCanonicalMapping.utf8), "\(name)")
        }
    }

    @Test("the name lists contain every language once, in a fixed order")
    func codes() {
        let codes = NameLists.all.map(\.code).joined(separator: " ")
        #expect(codes == "en de fr es it nl pl pt sv tr cs el ru ar hi ja zh ko vi is")
    }

    @Test(
        "names of a language with its own script consist only of characters of this script",
        arguments: [
            ("el", 0x370...0x3FF), ("ru", 0x400...0x4FF), ("ar", 0x600...0x6FF), ("hi", 0x900...0x97F),
            ("ja", 0x3040...0x9FFF), ("zh", 0x4E00...0x9FFF), ("ko", 0xAC00...0xD7A3),
        ] as [(String, ClosedRange<UInt32>)])
    func script(_ code: String, _ range: ClosedRange<UInt32>) throws {
        let list = try #require(NameLists.all.first { $0.code == code })
        for name in list.givenNames + list.familyNames {
            #expect(name.unicodeScalars.allSatisfy { range.contains($0.value) || "々" == $0 }, "\(name)")
        }
    }

    @Test("the name lists contain names that are difficult to quote and sort")
    func specialNames() throws {
        let english = try #require(NameLists.all.first { $0.code == "en" })
        let dutch = try #require(NameLists.all.first { $0.code == "nl" })
        #expect(Set(english.familyNames).isSuperset(of: ["O'Brien", "Smith-Jones", "McDonald"]))
        #expect(Set(dutch.familyNames).isSuperset(of: ["de Vries", "van Dijk"]))
    }

    @Test("each modifier and each hue form a unique color name in lowercase")
    func colorNames() {
        let names = ColorNames.modifiers.flatMap { modifier in ColorNames.hues.map { "\(modifier) \($0)" } }
        #expect(repeated(names) == [])
        #expect(names.allSatisfy { $0 == $0.lowercased() })
        #expect(Set(names).isSuperset(of: ["dusty rose", "burnt sienna"]))
        #expect(ColorNames.hues.contains { !$0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test("all combinations of words form distinct item names")
    func itemNames() {
        let first = ItemNames.materials + ItemNames.kinds
        let pairs = first.flatMap { word in ItemNames.nouns.map { "\(word) \($0)" } }
        let triples = ItemNames.kinds.flatMap { kind in
            ItemNames.materials.flatMap { material in ItemNames.nouns.map { "\(kind) \(material) \($0)" } }
        }
        #expect(repeated(pairs + triples) == [])
        #expect(Set(pairs).isSuperset(of: ["Walnut Serving Tray", "Insulated Travel Mug"]))
        #expect(Set(ItemNames.nouns).isSuperset(of: ["Café Cup", "Fußmatte"]))
    }

    /// Returns the names that occur twice, compared canonically.
    private func repeated(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
