import Foundation
import Testing

@testable import StrataFixtures

/// The type's name contains `WordListTests`, so one filter runs all tests of word lists.
@Suite("Lists of hostile values")
struct HostileWordListTests {
    /// A class of texts that must occur.
    struct Promise: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holds: @Sendable (String) -> Bool

        init(_ title: String, _ holds: @escaping @Sendable (String) -> Bool) {
            testDescription = title
            self.holds = holds
        }

        /// Creates a promise of exactly this text, compared by bytes.
        init(_ text: String) {
            self.init(text.debugDescription) { Array($0.utf8) == Array(text.utf8) }
        }
    }

    private static let texts: [String] = [
        "", " ", "\t", ",", ";", "|", "\"", "\"\"", "'", "\\", "\n", "\r", "\r\n", "null", "NULL", "None",
        "nil", "NaN",
        "N/A", "\\N", "true", "false", "007", "1e5", "0x1F", "1,234.56", "-0", "+1", "9007199254740993",
        "2020-13-45",
        "MAR1", "=1+1", "+cmd", "-2", "@SUM(A1)", "Robert'); DROP TABLE Employee;--", "%", "_",
        "<script>alert(1)</script>", "&amp;", "</td>", "{\"a\":1}", "[", "\\u0000", "../../etc/passwd", "CON",
        "%s%n",
        "{0}", "${HOME}", "$(whoami)", "`id`", "caf\u{E9}", "cafe\u{301}", "\u{1F600}", "\u{1F44D}\u{1F3FD}",
        "1\u{FE0F}\u{20E3}", "\u{1F1EE}\u{1F1F8}", "\u{FEFF}", "\u{85}", "\u{2028}", "\u{2029}", "\u{A0}",
        "\u{1}", "\u{7}",
        "\u{1B}", "\u{7F}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\u{131}\u{130}",
        "\u{1E9E}",
        "\u{212A}", "\u{1100}\u{1161}", "#strata-",
    ]

    static let exact: [Promise] = texts.map { text in Promise(text) }

    // Several short lists, because the compile time of an expression grows disproportionately with its closures.
    private static let breaks: [Promise] = [
        Promise("a text with a leading space") { $0.count > 1 && $0.hasPrefix(" ") && !$0.hasSuffix(" ") },
        Promise("a text with a trailing space") { $0.count > 1 && !$0.hasPrefix(" ") && $0.hasSuffix(" ") },
        Promise("a text with an inner line feed") { $0.dropFirst().dropLast().contains("\n") },
        Promise("a text with an inner carriage return") { $0.dropFirst().dropLast().contains("\r") },
        Promise("a text with an inner CRLF") { $0.dropFirst().dropLast().contains("\r\n") },
        Promise("a text that begins with CRLF") { $0.count > 1 && $0.hasPrefix("\r\n") },
        Promise("a text that ends with CRLF") { $0.count > 1 && $0.hasSuffix("\r\n") },
    ]

    private static let scripts: [Promise] = [
        Promise("a formula of a hyperlink") { $0.hasPrefix("=HYPERLINK(") },
        Promise("a text in Arabic script") { $0.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) } },
        Promise("a text in Hebrew script") { $0.unicodeScalars.contains { (0x590...0x5FF).contains($0.value) } },
        Promise("a text in Arabic and Latin script") { $0.contains("Latin") && $0.unicodeScalars.contains("\u{645}") },
        Promise("a text with a right-to-left override") { $0.unicodeScalars.contains("\u{202E}") },
        Promise("a text with a left-to-right isolate") { $0.unicodeScalars.contains("\u{2066}") },
    ]

    private static let marks: [Promise] = [
        Promise("a character with many combining marks") { text in text.contains { $0.unicodeScalars.count > 8 } },
        Promise("an emoji of a family with zero-width joiners") {
            $0.count == 1 && $0.unicodeScalars.filter { $0 == "\u{200D}" }.count == 3
        },
        Promise("a text that begins with a byte order mark") {
            $0.utf8.starts(with: [0xEF, 0xBB, 0xBF]) && $0.utf8.count > 3
        },
        Promise("a text with an inner byte order mark") {
            $0.unicodeScalars.dropFirst().dropLast().contains("\u{FEFF}")
        },
        Promise("a text with a zero-width space") { $0.unicodeScalars.contains("\u{200B}") },
        Promise("a text with a zero-width non-joiner") { $0.unicodeScalars.contains("\u{200C}") },
    ]

    private static let letters: [Promise] = [
        Promise("a text with a sharp s") { $0.unicodeScalars.contains("\u{DF}") },
        Promise("a text with a ligature") { $0.unicodeScalars.contains("\u{FB01}") },
        Promise("a text with full-width digits") { $0.unicodeScalars.contains("\u{FF11}") },
        Promise("a text with a replacement character") { $0.count > 1 && $0.unicodeScalars.contains("\u{FFFD}") },
    ]

    private static let lengths: [Promise] = [
        Promise("a text of 65,536 bytes") { $0.utf8.count == 65_536 },
        Promise("a text of 4,097 characters with several bytes each") {
            $0.count == 4_097 && $0.utf8.count > 2 * 4_097
        },
        Promise("a text of 100 quotes") { $0 == String(repeating: "\"", count: 100) },
        Promise("a text of 100 commas") { $0 == String(repeating: ",", count: 100) },
        Promise("a text that begins like a comment of a rejects file") { $0.count > 8 && $0.hasPrefix("#strata-") },
    ]

    static let classes: [Promise] = [breaks, scripts, marks, letters, lengths].flatMap(\.self)

    @Test("the hostile texts contain each required text or class of texts", arguments: exact + classes)
    func promised(_ promise: Promise) {
        #expect(HostileTexts.all.contains(where: promise.holds))
    }

    @Test("hostile texts are unique and do not contain U+0000")
    func texts() {
        let texts = HostileTexts.all.map { Array($0.utf8) }
        #expect(Set(texts).count == texts.count)
        #expect(!texts.contains { $0.contains(0) })
    }

    @Test("hostile numbers are unique and include the extremes of integer types")
    func integers() {
        let integers = Set(HostileNumbers.integers)
        #expect(integers.count == HostileNumbers.integers.count)
        let two31: Int64 = 1 << 31
        let two53: Int64 = 1 << 53
        #expect(integers.isSuperset(of: [0, 1, -1, .max, .min, two31 - 1, two31, 1 << 32]))
        #expect(integers.isSuperset(of: [two53 - 1, two53, two53 + 1, -two53 - 1]))
        #expect(integers.isSuperset(of: [9, 10, 11, 999_999_999, 1_000_000_000, 1_000_000_000_000_000_001]))
    }

    @Test("hostile instants are unique, and each instant is a finite date with a year of at most six digits")
    func dates() throws {
        let last = try Date("9999-12-31T23:59:59Z", strategy: .iso8601).timeIntervalSinceReferenceDate
        #expect(HostileDates.seconds.contains { Double($0.seconds) == last })
        var seen: Set<[Int64]> = []
        let limit: Double = 1_002_000 * 365.25 * 86_400
        for (seconds, nanoseconds) in HostileDates.seconds {
            #expect(seen.insert([seconds, Int64(nanoseconds)]).inserted, "\(seconds) \(nanoseconds)")
            #expect((0..<1_000_000_000).contains(nanoseconds))
            let interval = Double(seconds) + Double(nanoseconds) / 1e9
            #expect(Date(timeIntervalSinceReferenceDate: interval).timeIntervalSinceReferenceDate.isFinite)
            #expect(Double(seconds).magnitude < limit)
        }
    }

    @Test(
        "the hostile instants include each documented instant",
        arguments: [
            "2001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1900-01-01T00:00:00Z",
            "1900-02-28T23:59:59Z", "1900-03-01T00:00:00Z", "2000-02-29T00:00:00Z", "2038-01-19T03:14:07Z",
            "2038-01-19T03:14:08Z", "9999-12-31T23:59:59Z", "2024-03-10T07:00:00Z", "2024-11-03T06:00:00Z",
            "2024-03-31T01:00:00Z", "2024-10-27T01:00:00Z",
        ])
    func instant(_ text: String) throws {
        let interval = try Date(text, strategy: .iso8601).timeIntervalSinceReferenceDate
        #expect(HostileDates.seconds.contains { Double($0.seconds) == interval && $0.nanoseconds == 0 })
    }
}
