import StrataTestSupport
import Testing

@testable import StrataFixtures

@Suite("Texts of regular expressions")
struct PatternTextsTests {
    static let patterns = [
        "a", "[a-z]+", "[A-Z]{2}-\\d{6}", "^[^@ ]+@[^@ ]+$", "(a|b)*", "(ab|cde)+x?", "\\+\\d{2} \\d{3}( \\d{4})?",
        "[0-9a-fA-F]{32}",
        "(?:19|20)\\d\\d-(0[1-9]|1[0-2])", "[A-Z][a-z]+( [A-Z][a-z]+){0,3}", "\\w+\\.(csv|pdf)", ".{3,5}", "a?b?c?",
        "x{3}", "(?<year>\\d{4})",
        "[\\w.-]+", "[^a-z]", "\\p{Lu}\\p{Ll}+", "äöü|ß", "\\u00e9+", "(a|ab)(c|bc)", "(x*)*y", "((a|b)c|d){2,}",
        "[-+]?[0-9]+", "\\[\\]\\\\",
        "\\S+ \\S+", "(?i)abc", "[&]", "a{2,}?", "[a-c]++", "", "^$", "()", "(|a)", ".*",
    ]

    @Test("every text that is generated from a pattern matches the pattern", arguments: Seeds.spread(12, of: patterns))
    func matching(_ pattern: String) throws {
        let regex = try Regex(pattern)
        for unique in [nil, 1, 20] as [UInt64?] {
            let grammar = try PatternTexts.grammar(pattern, lengths: 0...200, unique: unique)
            for text in grammar.samples(200) { #expect(try regex.wholeMatch(in: text) != nil, "\(text)") }
        }
    }

    @Test(
        "texts that are generated from a pattern have a permitted length",
        arguments: ["[a-z]+", "(ab)+", "\\w{2,9}-\\d+", ".*", "(a|bcd)+"])
    func lengths(_ pattern: String) throws {
        for range in [4...4, 6...8, 10...40] {
            for text in try PatternTexts.grammar(pattern, lengths: range, unique: nil).samples(100) {
                #expect(range.contains(text.unicodeScalars.count), "\(text)")
            }
        }
    }

    @Test(
        "different numbers generate different texts if unique texts are requested",
        arguments: Seeds.spread(12, of: patterns))
    func unique(_ pattern: String) throws {
        let grammar = try PatternTexts.grammar(pattern, lengths: 0...200, unique: 5_000)
        var seen: Set<[UInt8]> = []
        for number in 0..<min(grammar.count, UInt64(Seeds.count(5_000, all: 20_000))) {
            let text = grammar.text(number)
            #expect(seen.insert(Array(text.utf8)).inserted, "\(text)")
        }
    }

    @Test(
        "the count of unique texts equals the count of texts that the pattern permits",
        arguments: [("[ab]{3}", 8), ("a?b?c?", 7), ("(a|ab)(c|bc)", 3), ("[0-9]{1,2}", 110), ("x", 1)]
            as [(String, UInt64)])
    func count(_ pattern: String, _ count: UInt64) throws {
        #expect(try PatternTexts.grammar(pattern, lengths: 1...9, unique: count).count == count)
    }

    @Test(
        "a pattern from which no text can be generated is rejected with the reason",
        arguments: [
            ("(?=a)b", "(?= states what must follow, which is not supported for generating texts"),
            ("(a)\\1", "texts cannot be generated from \\1"),
            ("\\bword", "texts cannot be generated from \\b"),
            ("[a-z&&[aeiou]]", "texts cannot be generated from && in a class"),
            ("\\p{Greek}", "texts cannot be generated from \\p{Greek}"),
            ("[[:alpha:]]", "texts cannot be generated from [: in a class; write \\p{…}"),
            ("a{9}", "its texts have 9 to 9 characters, but 1 to 5 are allowed"),
            ("(ab){2,}c{3}", "its texts have 7 to any number of characters, but 1 to 5 are allowed"),
            ("(aaa)+b?b?b?x{9}", "its texts have 12 to any number of characters, but 1 to 5 are allowed"),
        ])
    func refusal(_ pattern: String, _ message: String) {
        let error = #expect(throws: InvalidPattern.self) {
            try PatternTexts.grammar(pattern, lengths: 1...5, unique: nil)
        }
        #expect(error?.message == message)
    }

    @Test(
        "the compiled table of a grammar generates the same texts as the grammar",
        arguments: ["(a|b)*", "[a-z]{3,12}@[a-z]+\\.(com|org)", "[0-9a-f]{64}", "(ab|cde)+x?"])
    func written(_ pattern: String) throws {
        let grammar = try PatternTexts.grammar(pattern, lengths: 1...64, unique: nil)
        var texts = TextPool()
        var numbers: [Int64] = [7]
        let place = GrammarTable.add(grammar, to: &texts, &numbers)
        for step in 0..<500 as Range<UInt64> {
            let number = RowBits.value(RowBits.mixed(step), below: grammar.count)
            let text = GrammarTable.text(number, at: place, numbers: numbers, texts: texts)
            #expect(String(decoding: text, as: UTF8.self) == grammar.text(number))
        }
    }

    @Test(
        "texts of a generator kind are distinct, and no text exceeds the reported byte count",
        arguments: FixtureGenerator.Kind.allCases)
    func kinds(_ kind: FixtureGenerator.Kind) {
        let grammar = KindTexts.grammar(kind)
        var seen: Set<String> = []
        for number in 0..<min(grammar.count, 30_000) { #expect(seen.insert(grammar.text(number)).inserted) }
        #expect(seen.allSatisfy { $0.utf8.count <= grammar.longest.last ?? 0 })
    }
}
