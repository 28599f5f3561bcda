import StrataCore

/// A reader of the dialect of a resource, which determines how its fields and records are separated.
struct DialectReader {
    let view: ObjectView
    let findings: Findings
    let format: DataResource.Format
    /// A Boolean value that indicates whether the descriptor uses the first version of the standard.
    let isFirstVersion: Bool

    /// Returns the dialect; errors are added to the findings.
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
            findings.error(view.place["commentChar"], "every row begins with nothing; leave the property out")
        }
        dialect.commentRows = rows("commentRows") ?? []
        if view.has("headerRows"), let both = dialect.commentRows.first(where: dialect.headerRows.contains) {
            findings.error(view.place["commentRows"], "row \(both) is a header row as well")
        }
        dialect.nullSequence = view.text("nullSequence")
        dialect.skipsInitialSpace = view.truth("skipInitialSpace") ?? skipsInitialSpaceUnlessSaid
        checkLineTerminator()
        checkCharacters(dialect)
        return dialect
    }

    /// The default before version 1.2 of the CSV dialect, which skipped initial blanks.
    private var skipsInitialSpaceUnlessSaid: Bool {
        guard isFirstVersion, let value = view.value("csvddfVersion") else { return false }
        switch value.content {
        case .number(let text), .string(let text):
            let parts = text.split(separator: ".").compactMap { Int($0) }
            guard let major = parts.first else {
                findings.error(view.place["csvddfVersion"], "“\(text)” is no version, as in 1.2")
                return false
            }
            return (major, parts.count > 1 ? parts[1] : 0) < (1, 2)
        default:
            findings.error(view.place["csvddfVersion"], "\(value.kind) found, and a version is expected")
            return false
        }
    }

    /// Reports properties of other kinds of resources, and unsupported properties.
    private func refuseOthers() {
        for name in ["sheetName", "sheetNumber", "table"] where view.has(name) {
            findings.error(
                view.place[name], "is of spreadsheets and databases, which are not read; export the rows as CSV")
        }
        let isTable = format == .csv || format == .tsv
        for name in isTable ? DescriptorWords.documentDialect : DescriptorWords.tableDialect where view.has(name) {
            findings.warning(
                view.place[name], "\(format.rawValue.uppercased()) does not have it, and it is not looked at")
        }
        guard !isTable else { return }
        if let type = view.text("itemType"), type != "object" {
            findings.error(
                view.place["itemType"], "records that are no objects are not read (“\(type)”); write them as objects")
        }
        if view.has("itemKeys") {
            findings.error(view.place["itemKeys"], "is not supported; the schema's fields say which members are read")
        }
        if format == .ndjson, view.has("property") {
            findings.error(view.place["property"], "is for a JSON document; NDJSON has its records on lines")
        }
    }

    private func readEscape(into dialect: inout ResourceDialect) {
        if case .null = view.value("escapeChar")?.content { return }
        guard let escape = byte("escapeChar", "the escape character") else { return }
        // In packages, such an escape character means doubled quotes.
        if escape == dialect.quote { dialect.doublesQuotes = true } else { dialect.escape = escape }
    }

    private func readHeader(into dialect: inout ResourceDialect) {
        let given = rows("headerRows")
        if let join = view.text("headerJoin") { dialect.headerJoin = join }
        if view.truth("header") == false {
            dialect.headerRows = []
            if given != nil {
                findings.error(
                    view.place["headerRows"], "there are none where “header” is false; leave one of the two out")
            }
        } else if let given {
            dialect.headerRows = given
            if given.isEmpty {
                findings.error(
                    view.place["headerRows"], "there is no row in it; without a header write \"header\": false")
            }
        }
    }

    /// Returns a list of ascending row numbers.
    private func rows(_ name: String) -> [Int]? {
        guard let elements = view.list(name) else { return nil }
        var rows: [Int] = []
        for (index, element) in elements.enumerated() {
            guard case .number(let text) = element.content, let row = Int(text), row > 0 else {
                findings.error(view.place[name][index], "a row's number is expected, from 1 on")
                return nil
            }
            guard row > rows.last ?? 0 else {
                findings.error(
                    view.place[name][index], "the rows' numbers rise, and row \(row) is not behind the last one")
                return nil
            }
            rows.append(row)
        }
        guard rows.last ?? 0 <= Self.mostRows else {
            findings.error(
                view.place[name],
                "row \(rows.last ?? 0) is too far down; \(Self.mostRows) is the last that can be meant")
            return nil
        }
        return rows
    }

    /// The maximum row number in a list; a descriptor has no valid reason for a larger one.
    private static let mostRows = 1_000_000

    private func checkLineTerminator() {
        guard let text = view.text("lineTerminator"), !["\r\n", "\n", "\r"].contains(text) else { return }
        findings.error(
            view.place["lineTerminator"],
            "only CRLF, LF and CR end a line, and \(DescriptorText.shown(text)) is another text; a file with it is not read"
        )
    }

    private func checkCharacters(_ dialect: ResourceDialect) {
        if dialect.delimiter == dialect.quote {
            findings.error(view.place["quoteChar"], "the delimiter and the quote are the same character")
        }
        if dialect.delimiter == dialect.escape {
            findings.error(view.place["escapeChar"], "the delimiter and the escape character are the same")
        }
    }

    /// Returns a single ASCII character.
    private func byte(_ name: String, _ what: String) -> UInt8? {
        guard let text = view.text(name) else { return nil }
        guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x80, ![0, 0x0A, 0x0D].contains(byte) else {
            let hint = text == "\\t" ? "; a tab is written \"\\t\", with one backslash" : ""
            findings.error(
                view.place[name], "\(DescriptorText.shown(text)) cannot be \(what), which is one ASCII character\(hint)"
            )
            return nil
        }
        return byte
    }
}
