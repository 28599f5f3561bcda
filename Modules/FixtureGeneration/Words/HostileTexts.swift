/// Texts that often cause errors in programs.
///
/// Each text is valid UTF-8 without U+0000, so every store and every format must preserve it. No two texts have the
/// same bytes, but some are equal in comparisons that ignore case or Unicode composition. The texts and their order are
/// part of the dataset, so a change to them requires a new dataset version.
enum HostileTexts {
    /// All hostile texts, the simple ones first.
    static let all: [String] =
        blanks + separators + quotes + lineBreaks + absences + numbers + dates + formulas + queries + markup + paths
        + templates + directions + marks + emoji + invisibles + controls + edges + foldings + exchange + long

    /// The empty text, blank texts, and texts with leading or trailing white space.
    private static let blanks: [String] = [
        "", " ", "  ", " leading", "trailing ", " both ", "two  inside", "\t", "tab\tinside",
        "\ttabs at the ends\t",
    ]

    /// Texts with the separators of fields.
    private static let separators: [String] = [
        ",", ";", "|", ":", "a,b", "a;b", "a|b", ",,", "a,\"b\",c", "comma, space", "a:b=c&d",
        String(repeating: ",", count: 100),
    ]

    /// Texts with quotes and escape characters.
    private static let quotes: [String] = [
        "\"", "\"\"", "\"quoted\"", "a \"quoted\" word", "\"open", "open\"", "doubled \"\" quotes", "'", "''",
        "'quoted'", "it's", "`", "\\", "\\\\", "\\\"", "\\'", "ends with \\", "back\\slash",
        "\u{201C}typographic\u{201D}",
        "\u{2018}single\u{2019}", "\u{AB}angled\u{BB}", String(repeating: "\"", count: 100),
        String(repeating: "'", count: 99), String(repeating: "\\", count: 101),
    ]

    /// Texts with line breaks at the beginning, in the middle and at the end.
    private static let lineBreaks: [String] = [
        "\n", "\r", "\r\n", "\n\r", "\n\n", "line\nfeed", "carriage\rreturn", "both\r\nof them", "\nat the start",
        "\rat the start", "\r\nat the start", "at the end\n", "at the end\r", "at the end\r\n", "\"\n\"", ",\n,",
        "as two letters \\n", "\u{B}vertical tab", "form\u{C}feed",
    ]

    /// Words that some programs read as null, true or false.
    private static let absences: [String] = [
        "null", "NULL", "Null", "None", "nil", "undefined", "NaN", "nan", "N/A", "#N/A", "\\N", "-", "--", "?",
        "true",
        "false", "TRUE", "False", "yes", "no", "NO", "on", "off", "Infinity", "-inf",
    ]

    /// Texts that look like numbers and are changed if a program converts them to numbers.
    private static let numbers: [String] = [
        "0", "00", "007", "1e5", "1E400", "0x1F", "0b11", "0o17", "1,234.56", "1.234,56", "1 234", "1_000",
        "-0", "+1",
        "-1", ".5", "5.", "1.10", "9007199254740993", "9223372036854775808", "-9223372036854775809",
        "0.1000000000000000055", "1e-400", "12%", "$12.00", "1/2", "1-1", "+44 20 7946 0000",
    ]

    /// Texts that look like dates and times; some of the dates do not exist.
    private static let dates: [String] = [
        "2020-13-45", "2021-02-29", "MAR1", "SEPT2", "1-Jan", "01/02/03", "12:60", "24:00:00", "0000-00-00",
        "2001-01-01T00:00:00Z", "now", "1234567890",
    ]

    /// Texts that a spreadsheet evaluates as formulas.
    private static let formulas: [String] = [
        "=1+1", "+cmd", "-2", "-2+3", "@SUM(A1)", "=HYPERLINK(\"http://example.invalid\",\"here\")", "=", "@",
        "\t=1+1",
        "\r=1+1",
    ]

    /// Texts with a special meaning in SQL and in patterns.
    private static let queries: [String] = [
        "Robert'); DROP TABLE Employee;--", "' OR '1'='1", "; SELECT 1", "/* comment */", "-- comment", "%", "_",
        "100%_", "\\%", "*", "[a-z]*", "(?=x)", "(", ")", ".*", "^$", ":name", "?1", "@name", "$name", "X'00'",
        "rowid",
        "SELECT", "\"Employee\"",
    ]

    /// Texts with a special meaning in HTML, XML and JSON.
    private static let markup: [String] = [
        "<script>alert(1)</script>", "&amp;", "&lt;b&gt;", "</td>", "<!--", "-->", "<![CDATA[", "]]>", "<", ">",
        "&",
        "\" onload=\"alert(1)", "javascript:alert(1)", "{\"a\":1}", "[", "]", "{", "}", "[]", "{}", "[1,2",
        "\\u0000",
        "\\ud800", "\\x00", "\"a\": \"b\"",
    ]

    /// Texts with a special meaning as file names or URLs.
    private static let paths: [String] = [
        "../../etc/passwd", "..", ".", "/", "~", "CON", "NUL", "aux.txt", "C:\\Windows", "a/b",
        "file:///etc/passwd",
        "http://example.invalid/?a=b&c=%20#d", "%00", "%2e%2e%2f", "-rf",
    ]

    /// Texts with a special meaning in format strings, templates and shells.
    private static let templates: [String] = [
        "%s%n", "%@", "%d%d%d%d", "{0}", "{{7*7}}", "${HOME}", "$HOME", "$(whoami)", "`id`", "\\(name)", "#{1}",
        "<%= 1 %>", "a && b", "a > b", "!!", "#", "# comment", "// comment",
    ]

    /// Texts in scripts that are written from right to left, and texts with direction characters.
    private static let directions: [String] = [
        "\u{645}\u{631}\u{62D}\u{628}\u{627}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}",
        "Latin \u{645}\u{631}\u{62D}\u{628}\u{627} Latin", "\u{5E9}\u{5DC}\u{5D5}\u{5DD} 123 abc, \u{5D0}",
        "\u{202E}overridden\u{202C}", "never closed \u{202E}txt.exe", "\u{2066}isolated\u{2069}",
        "\u{200F}mark\u{200E}", "\u{661}\u{662}\u{663}",
    ]

    /// Letters with combining marks: composed, decomposed, and with more marks than any language uses.
    private static let marks: [String] = [
        "caf\u{E9}", "cafe\u{301}", "\u{C5}", "A\u{30A}", "\u{212B}", "\u{301}", "a\u{323}\u{307}",
        "a\u{307}\u{323}",

        "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}a\u{316}\u{317}\u{318}\u{319}\u{31A}\u{31B}l",
        "n" + String(repeating: "\u{303}", count: 64), "\u{928}\u{93F}", "\u{915}\u{94D}\u{937}", "\u{E33}",
    ]

    /// Emoji that consist of one code point or of several.
    private static let emoji: [String] = [
        "\u{1F600}", "\u{1F44D}\u{1F3FD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
        "\u{1F1EE}\u{1F1F8}", "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", "\u{1F1EE}", "1\u{FE0F}\u{20E3}",
        "\u{2764}\u{FE0F}", "\u{2764}", "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}", "\u{1F3FD}", "a\u{1F600}b",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    ]

    /// Texts with invisible characters.
    private static let invisibles: [String] = [
        "\u{FEFF}", "\u{FEFF}at the start", "in\u{FEFF}side", "\u{200B}", "zero\u{200B}width", "join\u{200D}er",
        "non\u{200C}joiner", "word\u{2060}joiner", "soft\u{AD}hyphen", "\u{A0}", "no\u{A0}break",
        "\u{A0}at the ends\u{A0}",
        "\u{2003}em space", "\u{3000}", "\u{85}", "next\u{85}line", "\u{2028}", "line\u{2028}separator",
        "\u{2029}",
        "paragraph\u{2029}separator", "\u{180E}", "\u{FE0F}", "tag\u{E0001}",
    ]

    /// Texts with control characters, all except U+0000.
    private static let controls: [String] = [
        "\u{1}", "start\u{1}of heading", "\u{2}\u{3}\u{4}", "\u{7}", "bell\u{7}", "\u{8}", "back\u{8}space",
        "\u{1A}",
        "end\u{1A}of file", "\u{1B}", "\u{1B}[31mred\u{1B}[0m", "\u{1C}\u{1D}\u{1E}\u{1F}", "\u{7F}",
        "delete\u{7F}",
        "\u{80}\u{9F}",
    ]

    /// Characters at the limits of Unicode's ranges and of the lengths in UTF-8.
    private static let edges: [String] = [
        "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10000}",
        "\u{1FFFF}", noncharacter, "\u{10FFFF}", "\u{FFFD}\u{FFFD} replaced", "\u{D7FF}\u{E000}", "Ã©", "â‚¬",
        "\u{E000}b",
        "\u{FFFF}b", "\u{10000}b",
    ]

    /// U+FDD0, which the compiler does not accept in a literal.
    private static let noncharacter = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)

    /// Letters whose number, length or order changes if case is ignored.
    private static let foldings: [String] = [
        "\u{131}\u{130}", "I\u{307}", "iI", "stra\u{DF}e", "STRASSE", "\u{1E9E}", "\u{FB01}ne", "fine",
        "\u{FF11}\u{FF12}",
        "\u{FF21}\u{FF42}", "\u{212A}", "K", "k", "\u{17F}", "\u{1C5}", "\u{3C3}\u{3C2}", "\u{3A3}", "\u{2126}",
        "\u{1100}\u{1161}", "\u{AC00}", "\u{1100}\u{1161}\u{11A8}", "\u{FF76}\u{FF9E}", "\u{30AC}", "\u{390}",
        "\u{149}",
        "\u{2460}", "\u{BD}", "\u{2163}", "\u{F900}", "\u{20BB7}", "\u{E6}", "\u{444}\u{40}\u{430}",
    ]

    /// Texts with a special meaning in Strata's own files, such as the beginning of a comment in a file of rejected
    /// records.
    private static let exchange: [String] = [
        "#strata-", "#strata-rejects", "#strata-rejects 1", "\"#strata-\"", " #strata-",
    ]

    /// Texts that are longer than common buffers.
    private static let long: [String] = [
        String(repeating: "x", count: 255),
        String(repeating: "x", count: 256),
        String(repeating: "0123456789abcdef", count: 4_096),  // 65,536 bytes
        String(repeating: "\u{20AC}", count: 4_097),  // three bytes each: no block of 4,096 bytes ends between two
        String(repeating: "a\n", count: 500),
    ]
}
