import StrataCore

/// A reader of a resource's dialect, which defines how fields and records are separated.
///
/// A property that would change the meaning of the data, but that is not supported, is an error. A property that
/// another format does not have is a warning, because it has no effect.
struct DialectReader {
    let view: ObjectView
    let findings: Findings
    let format: DataResource.Format
    /// A Boolean value that indicates whether the descriptor uses version 1 of the Data Package standard.
    let isFirstVersion: Bool

    /// Returns the dialect of the resource; adds errors to the findings.
    func dialect() -> ResourceDialect {
        var dialect = ResourceDialect()
        dialect.ignoresCaseOfHeader = isFirstVersion && !(view.truth("caseSensitiveHeader") ?? false)
        if format == .tsv { dialect.delimiter = UInt8(ascii: "\t") }
        refuseOthers()
        guard format == .csv || format == .tsv else {
            dialect.property = view.text("property")
            return dialect
        }
        if let delimiter = byte("delimiter", "the delimiter") { dialect.delimiter = delimiter }
        if case .null = view.value("quoteChar")?.content {
            dialect.quote = nil
        } else if view.text("quoteChar") == "" {
            dialect.quote = nil
        } else if let quote = byte("quoteChar", "the quote") {
            dialect.quote = quote
        }
        dialect.doublesQuotes = view.truth("doubleQuote") ?? true
        readEscape(into: &dialect)
        readHeader(into: &dialect)
        dialect.comment = view.text("commentChar")
        if dialect.comment?.isEmpty == true {
            findings.error(
                view.place["commentChar"],
                "the text that begins a comment must not be empty; remove the property")
        }
        dialect.commentRows = rows("commentRows") ?? []
        if view.has("headerRows"), let both = dialect.commentRows.first(where: dialect.headerRows.contains) {
            findings.error(view.place["commentRows"], "row \(both) is also a header row")
        }
        dialect.nullSequence = view.text("nullSequence")
        dialect.skipsInitialSpace = view.truth("skipInitialSpace") ?? skipsInitialSpaceUnlessSaid
        checkLineTerminator()
        checkCharacters(dialect)
        return dialect
    }

    /// The default of `skipInitialSpace`, which was true before version 1.2 of the CSV dialect.
    private var skipsInitialSpaceUnlessSaid: Bool {
        guard isFirstVersion, let value = view.value("csvddfVersion") else { return false }
        switch value.content {
        case .number(let text), .string(let text):
            let parts = text.split(separator: ".").compactMap { Int($0) }
            guard let major = parts.first else {
                findings.error(view.place["csvddfVersion"], "“\(text)” is not a version such as 1.2")
                return false
            }
            return (major, parts.count > 1 ? parts[1] : 0) < (1, 2)
        default:
            findings.error(view.place["csvddfVersion"], "\(value.kind) found, but a version is expected")
            return false
        }
    }

    /// Reports properties that apply to other kinds of resources, and properties that are not supported.
    private func refuseOthers() {
        for name in ["sheetName", "sheetNumber", "table"] where view.has(name) {
            findings.error(
                view.place[name],
                "this property is for spreadsheets and databases, which are not supported; export the rows as CSV")
        }
        let isTable = format == .csv || format == .tsv
        for name in isTable ? DescriptorWords.documentDialect : DescriptorWords.tableDialect where view.has(name) {
            findings.warning(
                view.place[name], "\(format.rawValue.uppercased()) does not have this property; it is ignored")
        }
        guard !isTable else { return }
        if let type = view.text("itemType"), type != "object" {
            findings.error(
                view.place["itemType"], "records of the type “\(type)” are not supported; write the records as objects")
        }
        if view.has("itemKeys") {
            findings.error(
                view.place["itemKeys"],
                "this property is not supported; the schema's fields determine which members are read")
        }
        if format == .ndjson, view.has("property") {
            findings.error(view.place["property"], "this property can be used only for a JSON document, not for NDJSON")
        }
    }

    /// Reads the escape character; a quote as the escape character means that quotes are doubled.
    private func readEscape(into dialect: inout ResourceDialect) {
        if case .null = view.value("escapeChar")?.content { return }
        guard let escape = byte("escapeChar", "the escape character") else { return }
        // In packages, such an escape character means doubled quotes.
        if escape == dialect.quote { dialect.doublesQuotes = true } else { dialect.escape = escape }
    }

    /// Reads the rows of the header; `header: false` means that there are none.
    private func readHeader(into dialect: inout ResourceDialect) {
        let given = rows("headerRows")
        if let join = view.text("headerJoin") { dialect.headerJoin = join }
        if view.truth("header") == false {
            dialect.headerRows = []
            if given != nil {
                findings.error(
                    view.place["headerRows"],
                    "header rows are not possible if “header” is false; remove one of the two properties")
            }
        } else if let given {
            dialect.headerRows = given
            if given.isEmpty {
                findings.error(
                    view.place["headerRows"],
                    "the list of rows is empty; for a file without a header write \"header\": false")
            }
        }
    }

    /// Returns the list of ascending row numbers in a member of the dialect.
    private func rows(_ name: String) -> [Int]? {
        guard let elements = view.list(name) else { return nil }
        var rows: [Int] = []
        for (index, element) in elements.enumerated() {
            guard case .number(let text) = element.content, let row = Int(text), row > 0 else {
                findings.error(view.place[name][index], "a row number from 1 on is expected")
                return nil
            }
            guard row > rows.last ?? 0 else {
                findings.error(
                    view.place[name][index],
                    "the row numbers must be ascending, but row \(row) does not follow the last one")
                return nil
            }
            rows.append(row)
        }
        guard rows.last ?? 0 <= Self.mostRows else {
            findings.error(
                view.place[name],
                "row \(rows.last ?? 0) is too large; \(Self.mostRows) is the maximum")
            return nil
        }
        return rows
    }

    /// The maximum row number in a dialect's list, which exceeds all useful values.
    private static let mostRows = 1_000_000

    /// Reports a line terminator other than CRLF, LF and CR.
    private func checkLineTerminator() {
        guard let text = view.text("lineTerminator"), !["\r\n", "\n", "\r"].contains(text) else { return }
        findings.error(
            view.place["lineTerminator"],
            "only CRLF, LF and CR can end a line, not \(DescriptorText.shown(text))"
        )
    }

    /// Reports a delimiter that is also the quote or the escape character.
    private func checkCharacters(_ dialect: ResourceDialect) {
        if dialect.delimiter == dialect.quote {
            findings.error(view.place["quoteChar"], "the delimiter and the quote are the same character")
        }
        if dialect.delimiter == dialect.escape {
            findings.error(view.place["escapeChar"], "the delimiter and the escape character are the same")
        }
    }

    /// Returns the single ASCII character in a member of the dialect.
    private func byte(_ name: String, _ what: String) -> UInt8? {
        guard let text = view.text(name) else { return nil }
        guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x80, ![0, 0x0A, 0x0D].contains(byte) else {
            let hint = text == "\\t" ? "; a tab is written \"\\t\", with one backslash" : ""
            findings.error(
                view.place[name],
                "\(DescriptorText.shown(text)) cannot be \(what), which must be one ASCII character\(hint)"
            )
            return nil
        }
        return byte
    }
}
