import StrataPersistence

extension StoreContract {
    /// The checks of searching texts.
    ///
    /// A store must:
    ///
    /// - find a text by its UTF-8 bytes: “é” as one scalar is not found in “é” as two scalars
    /// - treat `%`, `_` and other characters of SQL patterns as ordinary characters
    /// - find the empty text in every text, and find nothing in null
    /// - ignore the case of the letters A to Z only, if a search ignores case; other letters must match exactly
    /// - accept another attribute of the row as the searched text
    static var texts: [Check] {
        [
            Check("a text search compares UTF-8 bytes") { probe in
                try probe.insert("Sample", textRows)
                try checkTexts(
                    probe,
                    contains: [
                        ("an", [2, 3]), ("AN", [4]), ("", [2, 3, 4, 5, 6, 7, 8]), ("\u{e9}", [5]), ("e", [6]),
                        ("\u{301}", [6]), ("%", [7]), ("_", []), ("anan", [2]), ("ananas und", []), ("x", []),
                    ],
                    starts: [
                        ("an", [2]), ("An", [3]), ("", [2, 3, 4, 5, 6, 7, 8]), ("e", [6]), ("\u{e9}", [5]),
                        ("\u{10ffff}", [8]), ("ananas ", []), ("100%", [7]), ("100_", []),
                    ])
            },
            Check("a case-insensitive search ignores the case of the letters A to Z only") { probe in
                try probe.insert("Sample", textRows + [(9, ["text": .string("Äpfel")])])
                try checkTexts(
                    probe,
                    contains: [("AN", [2, 3, 4]), ("ä", []), ("Ä", [9]), ("äPFEL", []), ("ÄPFEL", [9])],
                    starts: [("AN", [2, 3, 4]), ("ä", []), ("ÄpF", [9]), ("É", [])],
                    ignoringCase: true)
            },
            Check("a text can be searched for the text of another attribute") { probe in
                try probe.insert(
                    "Sample",
                    [
                        (1, ["text": .string("banana"), "label": .string("ban")]),
                        (2, ["text": .string("banana"), "label": .string("nan")]),
                        (3, ["text": .string("ban"), "label": .string("banana")]),
                        (4, ["label": .string("")]),
                        (5, ["text": .string("\u{e9}a"), "label": .string("\u{e9}")]),
                    ])
                let (text, label) = (FetchOperand.property("text"), FetchOperand.property("label"))
                probe.expectEqual(try probe.ids("Sample", where: .contains(text, label)), [1, 2, 5], "contains")
                probe.expectEqual(try probe.ids("Sample", where: .startsWith(text, label)), [1, 5], "starts")
                probe.expectEqual(
                    try probe.ids("Sample", where: .not(.startsWith(text, label))), [2, 3, 4], "does not start")
            },
        ]
    }

    /// Rows with null, with three spellings of one word, with composed and decomposed letters, and with characters of
    /// patterns.
    private static let textRows: [(id: Int64, values: [String: StoredValue])] = [
        (1, [:]), (2, ["text": .string("ananas")]), (3, ["text": .string("Ananas")]), (4, ["text": .string("ANNA AN")]),
        (5, ["text": .string("\u{e9}t\u{1f600}")]), (6, ["text": .string("e\u{301}t")]),
        (7, ["text": .string("100% rot")]), (8, ["text": .string("\u{10ffff}z")]),
    ]

    /// Checks which of the rows contain some texts, and which begin with them.
    ///
    /// - Parameters:
    ///   - probe: The probe, whose store contains the rows.
    ///   - contains: The searched texts, with the identifiers of the rows that contain them.
    ///   - starts: The searched texts, with the identifiers of the rows that begin with them.
    ///   - ignoringCase: A Boolean value that indicates whether the search ignores the case of the letters A to Z.
    /// - Throws: The error of the store.
    private static func checkTexts(
        _ probe: ContractProbe, contains: [(String, [Int64])], starts: [(String, [Int64])], ignoringCase: Bool = false
    ) throws {
        let text = FetchOperand.property("text")
        for (part, wanted) in contains {
            let condition = FetchCondition.contains(text, .constant(.string(part)), ignoringCase: ignoringCase)
            probe.expectEqual(try probe.ids("Sample", where: condition), wanted, "contains “\(part)”")
        }
        for (part, wanted) in starts {
            let condition = FetchCondition.startsWith(text, .constant(.string(part)), ignoringCase: ignoringCase)
            probe.expectEqual(try probe.ids("Sample", where: condition), wanted, "starts with “\(part)”")
        }
    }
}
