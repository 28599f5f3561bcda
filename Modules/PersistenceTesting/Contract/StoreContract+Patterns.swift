import StrataPersistence

extension StoreContract {
    /// Rows with null, with the empty text, with words in two cases, and with wildcards as ordinary characters.
    private static let patternRows: [(id: Int64, values: [String: StoredValue])] = [
        (1, [:]), (2, ["text": .string("")]), (3, ["text": .string("banana"), "label": .string("nana")]),
        (4, ["text": .string("Banana"), "label": .string("")]), (5, ["text": .string("\u{e9}a")]),
        (6, ["text": .string("a*a"), "label": .string("*A")]), (7, ["text": .string("100%_\\")]),
    ]

    /// The checks of the ends of texts, and of texts with wildcards.
    ///
    /// A store must:
    ///
    /// - compare the end of a text by bytes, with the same rule for case as other searches
    /// - match a pattern with the whole text, not with a part of it
    /// - let `*` match any number of scalars, including none, and `?` exactly one Unicode scalar
    /// - treat the character after a backslash literally, and a backslash at the end as itself
    /// - treat all other characters literally, such as `%` and brackets
    /// - reject a pattern of more than 10,000 bytes and a pattern for a value that is not a text, with the code
    ///   `invalidRequest`
    static var patterns: [Check] {
        [
            Check("a search for the end of a text compares UTF-8 bytes") { probe in
                try probe.insert("Sample", patternRows)
                let (text, label) = (FetchOperand.property("text"), FetchOperand.property("label"))
                func ids(_ part: FetchOperand, ignoringCase: Bool = false) throws -> [Int64] {
                    try probe.ids("Sample", where: .endsWith(text, part, ignoringCase: ignoringCase))
                }
                let cases: [(String, [Int64])] = [
                    ("a", [3, 4, 5, 6]), ("", [2, 3, 4, 5, 6, 7]), ("nana", [3, 4]), ("banana", [3]), ("xbanana", []),
                    ("\u{e9}a", [5]), ("e\u{301}a", []), ("\\", [7]), ("ANA", []),
                ]
                for (part, wanted) in cases {
                    probe.expectEqual(try ids(.constant(.string(part))), wanted, "ends with “\(part)”")
                }
                probe.expectEqual(try ids(.constant(.string("BANANA")), ignoringCase: true), [3, 4], "ends, any case")
                probe.expectEqual(try ids(label), [2, 3, 4, 5, 7], "ends with the label")
                probe.expectEqual(
                    try ids(label, ignoringCase: true), [2, 3, 4, 5, 6, 7], "ends with the label, any case")
                let not = FetchCondition.not(.endsWith(text, .constant(.string("a"))))
                probe.expectEqual(try probe.ids("Sample", where: not), [1, 2, 7], "does not end with a")
            },
            Check("a pattern must match the whole text; * matches any characters, and ? one Unicode scalar") { probe in
                try probe.insert("Sample", patternRows)
                func ids(_ pattern: String, ignoringCase: Bool = false) throws -> [Int64] {
                    try probe.ids("Sample", where: .like(.property("text"), pattern, ignoringCase: ignoringCase))
                }
                let cases: [(String, [Int64])] = [
                    ("*", [2, 3, 4, 5, 6, 7]), ("", [2]), ("?a", [5]), ("???", [6]), ("b*", [3]), ("*an*", [3, 4]),
                    ("?anana", [3, 4]), ("an", []), ("*a*a*a*", [3, 4]), ("a\\*a", [6]), ("a?a", [6]), ("*\\?*", []),
                    ("100%_*", [7]), ("*\\\\", [7]), ("*\\", [7]), ("[ab]*", []), ("*****b*****", [3]),
                ]
                for (pattern, wanted) in cases {
                    probe.expectEqual(try ids(pattern), wanted, "like “\(pattern)”")
                }
                probe.expectEqual(try ids("B*A", ignoringCase: true), [3, 4], "like B*A, any case")
                probe.expectEqual(try ids("\u{c9}*", ignoringCase: true), [], "like É*, any case")
                let not = FetchCondition.not(.like(.property("text"), "*a*"))
                probe.expectEqual(try probe.ids("Sample", where: not), [1, 2, 7], "not like *a*")
                probe.expectError(.invalidRequest, "a number like something") {
                    _ = try probe.ids("Sample", where: .like(.property("long"), "1*"))
                }
                probe.expectError(.invalidRequest, "a pattern that is too long") {
                    _ = try ids(String(repeating: "*", count: 10_001))
                }
            },
        ]
    }
}
