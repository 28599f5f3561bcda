import StrataCore

/// A reader of the locations and formats of the rows of resources.
///
/// A resource in an unsupported format is skipped with a warning, because a package may also contain documents for
/// people. A resource whose location or digest is invalid is an error.
struct ResourceReader {
    let findings: Findings
    /// A Boolean value that indicates whether the descriptor uses version 1 of the Data Package standard.
    let isFirstVersion: Bool

    /// Returns the location and format of a resource's rows; if the resource is skipped or invalid, reports a finding
    /// and returns `nil`.
    ///
    /// - Parameters:
    ///   - view: The object of the resource in the descriptor.
    ///   - name: The name of the resource.
    ///   - schema: The schema of the resource.
    ///   - dialect: A closure that returns the dialect for a format, possibly from a separate file.
    /// - Returns: The resource.
    func resource(
        _ view: ObjectView, _ name: String, schema: ObjectView, dialect: (DataResource.Format) -> ResourceDialect
    )
        -> DataResource?
    {
        // The first drafts of the standard used the name `url`.
        let word = !view.has("path") && view.has("url") ? "url" : "path"
        guard view.has(word) || view.has("data") else {
            findings.error(
                view.place,
                "“\(name)” has neither path nor data, so it contains no rows; specify one of them")
            return nil
        }
        guard !view.has(word) || !view.has("data") else {
            findings.error(view.place["data"], "“\(name)” has both path and data; specify only one of them")
            return nil
        }
        if let compression = view.text("compression"), !["gz", "no"].contains(compression) {
            findings.error(
                view.place["compression"],
                "the compression “\(compression)” is not supported; decompress the file, or compress it with gz")
            return nil
        }
        guard
            let (content, format) = view.has(word) ? files(view, name, at: word) : InlineData(view, findings).content()
        else {
            return nil
        }
        let fields = schema.objects("fields", known: DescriptorWords.field).compactMap { $0.text("name") }
        let parts: Int
        if case .files(let paths) = content { parts = paths.count } else { parts = 0 }
        let dialect = dialect(format)
        if parts > 1 { checkParts(dialect, view) }
        return DataResource(
            name: name, place: view.place.description, format: format, content: content,
            encoding: parts == 0 ? nil : view.text("encoding"),
            byteCount: parts == 1 ? view.number("bytes", in: 0...Int.max) : nil,
            hash: parts == 1 ? hash(view) : nil, dialect: dialect, fields: fields, fieldsMatch: match(schema))
    }

    /// Reports properties whose meaning is ambiguous if a table consists of several files, each with or without a
    /// header row.
    private func checkParts(_ dialect: ResourceDialect, _ view: ObjectView) {
        if !dialect.headerRows.isEmpty, dialect.headerRows != [1] {
            findings.error(
                view.place["dialect"]["headerRows"],
                "a table in several files must have exactly one header row")
        }
        if !dialect.commentRows.isEmpty {
            findings.error(
                view.place["dialect"]["commentRows"],
                "a table in several files cannot have comment rows, because its rows have no fixed numbers")
        }
    }

    /// Returns the paths and the format of a resource's files; if they are invalid, reports a finding and returns
    /// `nil`.
    private func files(_ view: ObjectView, _ name: String, at word: String) -> (
        DataResource.Content, DataResource.Format
    )? {
        guard let paths = view.texts(word) else { return nil }
        guard !paths.isEmpty else {
            findings.error(view.place[word], "the list of paths is empty")
            return nil
        }
        var isSafe = true
        for (index, path) in paths.enumerated() {
            guard let refusal = SafePath.refusal(of: path) else { continue }
            let place = view.place[word]
            if case .array = view.value(word)?.content {
                findings.error(place[index], refusal)
            } else {
                findings.error(place, refusal)
            }
            isSafe = false
        }
        guard isSafe else { return nil }
        if let archive = paths.first(where: { $0.lowercased().hasSuffix(".zip") }) {
            findings.error(
                view.place[word],
                "“\(archive)” is an archive, which is not supported; unpack it, or compress the file with gz")
            return nil
        }
        guard let format = format(view, name, paths[0]) else { return nil }
        return (.files(paths.map(SafePath.plain)), format)
    }

    /// Returns the format of a file, as the descriptor states it or by the extension of the file's name.
    private func format(_ view: ObjectView, _ name: String, _ path: String) -> DataResource.Format? {
        if let word = view.text("format") {
            if let format = Self.formats[word.lowercased()] { return format }
            findings.warning(
                view.place["format"], "“\(name)” is skipped: its format “\(word)” is not supported for tables")
            return nil
        }
        if let type = view.text("mediatype") {
            let word = type.prefix { $0 != ";" }.lowercased()
            if let format = Self.mediatypes[String(word)] { return format }
            findings.warning(
                view.place["mediatype"], "“\(name)” is skipped: its media type “\(type)” is not supported for tables")
            return nil
        }
        var file = path.lowercased()
        for compression in [".gz", ".zst", ".zstd"] where file.hasSuffix(compression) {
            file.removeLast(compression.count)
            break
        }
        let ending = file.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        if let format = Self.formats[String(ending)] { return format }
        // In the first version, all tables are CSV files, regardless of their names.
        if view.text("profile") == "tabular-data-resource" { return .csv }
        findings.warning(
            view.place,
            "“\(name)” is skipped: the format of “\(path)” is not known; add the format, as in \"format\": \"csv\"")
        return nil
    }

    /// The formats by their names in descriptors, which are also extensions of file names.
    static let formats: [String: DataResource.Format] = [
        "csv": .csv, "tsv": .tsv, "json": .json, "ndjson": .ndjson, "jsonl": .ndjson,
    ]
    private static let mediatypes: [String: DataResource.Format] = [
        "text/csv": .csv, "text/tab-separated-values": .tsv, "application/json": .json,
        "application/x-ndjson": .ndjson, "application/ndjson": .ndjson, "application/jsonl": .ndjson,
        "application/x-jsonlines": .ndjson,
    ]

    /// Returns the digest in a descriptor: `ALGORITHM:DIGITS`, or only the digits for MD5.
    private func hash(_ view: ObjectView) -> DataResource.Hash? {
        guard let text = view.text("hash") else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts.count == 2 ? parts[0].lowercased() : "md5"
        let digits = (parts.last ?? "").lowercased()
        let names = DataResource.Hash.Algorithm.allCases.map(\.rawValue)
        guard let algorithm = DataResource.Hash.Algorithm(rawValue: word) else {
            findings.warning(
                view.place["hash"],
                "digests by “\(word)” are not supported; the algorithms are \(names.joined(separator: ", "))"
                    + NearestName.suggestion(for: word, among: names))
            return nil
        }
        guard digits.utf8.count == algorithm.digitCount, digits.utf8.allSatisfy(Self.isHexadecimal) else {
            findings.error(
                view.place["hash"],
                "“\(text)” is not a digest by \(word), which has \(algorithm.digitCount) hexadecimal digits")
            return nil
        }
        return DataResource.Hash(algorithm, digits: digits)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// Returns the required agreement of a header with the schema, or the default of the standard's version.
    private func match(_ schema: ObjectView) -> DataResource.FieldsMatch {
        // The first version has no such property, and only recommends the order of the fields.
        guard schema.has("fieldsMatch"), let words = schema.texts("fieldsMatch") else {
            return isFirstVersion ? .equal : .exact
        }
        let names = DataResource.FieldsMatch.allCases.map(\.rawValue)
        // The profile of the standard specifies a list, and the text of the standard specifies a single word.
        guard words.count == 1, let match = DataResource.FieldsMatch(rawValue: words[0]) else {
            let word = words.joined(separator: ", ")
            findings.error(
                schema.place["fieldsMatch"],
                "“\(word)” is not one of \(names.joined(separator: ", "))"
                    + NearestName.suggestion(for: word, among: names))
            return .exact
        }
        return match
    }
}
