import Foundation
import StrataPersistence
import Testing

@testable import strata

@Suite("Text on a terminal")
struct TerminalTests {
    @Test(
        "the width of a text is its count of terminal columns",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ｱ", 1), ("Ａ", 2), ("🙂", 2),
            ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("a\u{200B}b", 2), ("नि", 2), ("…", 1), ("\u{AD}", 0),
            ("עברית", 5),
        ])
    func width(text: String, expected: Int) {
        #expect(DisplayWidth.of(text) == expected)
    }

    @Test(
        "a long text is truncated after a whole character and ends with an ellipsis",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab", 1, "…"), ("a", 0, ""),
        ])
    func cut(text: String, width: Int, expected: String) {
        #expect(DisplayWidth.cut(text, to: width) == expected)
        #expect(DisplayWidth.of(expected) <= width)
    }

    @Test("the option, the output and the environment determine whether colors are used")
    func style() {
        func style(_ wish: TerminalStyle.ColorMode, _ isTerminal: Bool, _ environment: [String: String])
            -> TerminalStyle
        {
            TerminalStyle(wish, isTerminal: isTerminal, environment: environment)
        }
        let xterm = ["TERM": "xterm-256color"]
        #expect(style(.auto, true, xterm) == .indexed)
        #expect(style(.auto, false, xterm) == .plain)
        #expect(style(.always, false, xterm) == .indexed)
        #expect(style(.never, true, xterm) == .plain)
        #expect(style(.auto, true, ["TERM": "xterm", "COLORTERM": "24bit"]) == .direct)
        #expect(style(.auto, true, ["TERM": "vt100"]) == .basic)
        #expect(style(.auto, true, ["TERM": "dumb", "COLORTERM": "truecolor"]) == .plain)
        #expect(style(.auto, true, [:]) == .plain)
        #expect(style(.auto, true, ["TERM": "xterm", "NO_COLOR": "1"]) == .plain)
        #expect(style(.auto, true, ["TERM": "xterm", "NO_COLOR": ""]) == .basic)
        #expect(style(.always, true, ["TERM": "xterm", "NO_COLOR": "1"]) == .basic)
    }

    @Test(
        "a color is replaced by the nearest of 256 terminal colors",
        arguments: [
            ("#000000", 16), ("#FFFFFF", 231), ("#FF0000", 196), ("#808080", 244), ("#5F87AF", 67), ("#0000fe", 21),
        ])
    func indexed(hex: String, index: Int) throws {
        #expect(try #require(RGB(hex)).index == index)
    }

    @Test(
        "a text that is not #RRGGBB is not parsed as a color",
        arguments: ["", "#", "#FFF", "FF0000", "#FF000", "#GG0000", "#+F0000", "#-F0000", "#FF00000"])
    func noColor(text: String) {
        #expect(RGB(text) == nil)
    }

    @Test("a table cell shows a value as one line of text that differs from null")
    func cells() {
        let texts: [(String, String)] = [
            ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\u{1B}]0;x\u{7}", "\\u{1B}]0;x\\u{7}"), ("\u{202E}abc", "\\u{202E}abc"),
            ("", "\"\""),
            ("null", "\"null\""), (" a", "\" a\""), ("\"a\"", "\"\"a\"\""), ("a\"", "a\""),
        ]
        for (text, shown) in texts { #expect(TableCell(.string(text)).text == shown) }
        #expect(TableCell(.null).text == "null" && TableCell(.null).isNull)
        #expect(TableCell(.boolean(true)).text == "true")
        #expect(TableCell(.double(0.1)).text == "0.1")
        #expect(TableCell(.binary(.init([0, 1, 2]))).text == "AAEC")
        #expect(TableCell(.string("#FF8000")).color == RGB("#FF8000"))
    }

    @Test("a table shrinks its widest columns first, never shrinks numbers, and omits the last columns")
    func layout() {
        let columns: [TextTable.Column] = [
            .init(title: "id", isNumber: true), .init(title: "a", isNumber: false), .init(title: "b", isNumber: false),
        ]
        let row = [TableCell(.integer(123_456)), TableCell(.string("abcdefghij")), TableCell(.string("xy"))]
        func lines(_ width: Int?) -> [String] {
            let table = TextTable(columns, for: [row], width: width, style: .plain)
            return [table.header, table.line(row), "\(table.hiddenCount)"]
        }
        #expect(lines(nil) == ["    id  a           b", "123456  abcdefghij  xy", "0"])
        #expect(lines(22) == ["    id  a           b", "123456  abcdefghij  xy", "0"])
        #expect(lines(21) == ["    id  a          b", "123456  abcdefgh…  xy", "0"])
        #expect(lines(20) == ["    id  a         b", "123456  abcdefg…  xy", "0"])
        #expect(lines(17) == ["    id  a", "123456  abcdefgh…", "1"])
        #expect(lines(8) == ["    id", "123456", "2"])
        #expect(lines(4) == ["  id", "123…", "2"])
    }
}
