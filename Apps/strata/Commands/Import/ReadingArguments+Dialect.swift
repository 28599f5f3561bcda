import StrataInterchange

extension ReadingArguments {
    /// Applies the options for reading tables to a dialect.
    func readDialect(into dialect: inout CSVDialect) throws {
        dialect.separator = try Stores.separator(arguments)
        if let quote = arguments.value("quote") { dialect.quote = try self.quote(quote) }
        if let quote = dialect.quote, quote == dialect.separator?.byte {
            throw arguments.usageError("--delimiter and --quote must be different characters")
        }
        dialect.hasHeader = !arguments.has("no-header")
        dialect.columns = arguments.value("columns").map { list in
            list.split(separator: ",", omittingEmptySubsequences: false).map { name in
                String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        if !dialect.hasHeader, dialect.columns == nil {
            throw arguments.usageError("--no-header requires the names of the columns, as in --columns id,name")
        }
        dialect.skippedLines = try arguments.integer("skip-lines", in: 0...Int.max) ?? 0
        dialect.comment = arguments.value("comment")
        if dialect.comment?.isEmpty == true {
            throw arguments.usageError("option --comment is empty; name the text that begins a comment")
        }
        dialect.nullTokens = arguments.allValues("null")
        dialect.isTrimmed = arguments.has("trim")
        dialect.isLenient = arguments.has("lenient")
        dialect.skipsInitialSpace = arguments.has("skip-initial-space")
        if let text = arguments.value("escape") { dialect.escape = try escape(text) }
        dialect.headerRows = try rows("header-rows") ?? []
        if let text = arguments.value("header-join") { dialect.headerJoin = text }
        dialect.commentRows = try rows("comment-rows") ?? []
        try checkRows(dialect)
        do throws(InterchangeError) {
            try dialect.check()
        } catch {
            throw arguments.usageError(error.message)
        }
    }

    private func checkRows(_ dialect: CSVDialect) throws(UsageError) {
        if dialect.headerRows.count < 2, arguments.value("header-join") != nil {
            throw arguments.usageError("--header-join requires several --header-rows, as in 1,2")
        }
        guard !dialect.headerRows.isEmpty else { return }
        if !dialect.hasHeader { throw arguments.usageError("--no-header and --header-rows cannot be combined") }
        if dialect.skippedLines > 0 {
            throw arguments.usageError(
                "--header-rows counts rows from the beginning of the file and cannot be combined with --skip-lines")
        }
    }

    /// Returns the row numbers in the value of an option, such as `1,2`.
    private func rows(_ option: String) throws(UsageError) -> [Int]? {
        guard let list = arguments.value(option) else { return nil }
        var rows: [Int] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let row = Int(part), row > rows.last ?? 0, row <= Self.mostRows else {
                throw arguments.usageError(
                    "option --\(option): \"\(list)\" is not a list of row numbers such as 1,2: ascending numbers from "
                        + "1 to \(Self.mostRows)"
                )
            }
            rows.append(row)
        }
        return rows
    }

    /// The maximum number of a header row or comment row, which is higher than any practical value.
    private static let mostRows = 1_000_000

    private func escape(_ text: String) throws(UsageError) -> UInt8? {
        guard let byte = text.utf8.first, text.utf8.count == 1, byte > 0x20, byte < 0x7F else {
            throw arguments.usageError("option --escape: \"\(text)\" is not one ASCII character")
        }
        return byte
    }

    private func quote(_ text: String) throws -> UInt8? {
        if text.lowercased() == "none" { return nil }
        guard let byte = text.utf8.first, text.utf8.count == 1, byte > 0x20, byte < 0x7F else {
            throw arguments.usageError("option --quote: \"\(text)\" is not one ASCII character, or none")
        }
        return byte
    }
}
