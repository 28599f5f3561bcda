import StrataCore

/// The rows of a table that the descriptor itself contains.
///
/// They are converted to the bytes of a file, so that the reader of files needs no second implementation.
struct InlineData {
    private let view: ObjectView
    private let findings: Findings

    init(_ view: ObjectView, _ findings: Findings) {
        (self.view, self.findings) = (view, findings)
    }

    /// Returns the bytes of a file that would contain the same rows, and the format of that file.
    ///
    /// If the rows are invalid, the method reports an error and returns `nil`.
    func content() -> (DataResource.Content, DataResource.Format)? {
        let place = view.place["data"]
        switch view.value("data")?.content {
        case .string(let text):
            guard let word = view.text("format") ?? Self.word(view.text("mediatype")) else {
                findings.error(place, "a text requires a format, as in \"format\": \"csv\"")
                return nil
            }
            guard let format = ResourceReader.formats[word.lowercased()] else {
                findings.error(
                    view.place["format"],
                    "a text in the format “\(word)” is not supported; use csv, tsv, json or ndjson")
                return nil
            }
            return (.inline(Array(text.utf8)), format)
        case .array(let rows): return document(rows, place).map { (.inline(Array($0.utf8)), .json) }
        case let content?:
            findings.error(
                place, "\(JSONValue(content).kind) found, but rows are expected: a list, or a text in a format")
            return nil
        case nil: return nil
        }
    }

    /// Returns the name of the format for a media type, or `nil` if it is missing or unknown.
    private static func word(_ mediatype: String?) -> String? {
        switch mediatype?.lowercased() {
        case "text/csv": "csv"
        case "text/tab-separated-values": "tsv"
        case "application/json": "json"
        default: nil
        }
    }

    /// Returns a JSON text with an array of objects; if the rows are arrays, the first array contains the names of the
    /// members.
    private func document(_ rows: [JSONValue], _ place: JSONPointer) -> String? {
        let layout = JSONTreeLayout(padsBraces: false, escapesDelete: false) { _ in true }
        guard case .array(let first) = rows.first?.content else {
            for (index, row) in rows.enumerated() {
                guard case .object = row.content else {
                    findings.error(
                        place[index], "\(row.kind) found, but an object is expected, because all rows must be objects")
                    return nil
                }
            }
            return JSONTreeWriter.line(.array(rows), layout)
        }
        var names: [String] = []
        for (index, name) in first.enumerated() {
            guard case .string(let text) = name.content else {
                findings.error(
                    place[0][index], "\(name.kind) found, but the first list must contain the columns' names")
                return nil
            }
            names.append(text)
        }
        var objects: [JSONValue] = []
        for (index, row) in rows.enumerated().dropFirst() {
            guard case .array(let values) = row.content else {
                findings.error(
                    place[index],
                    "\(row.kind) found, but a list is expected, because the first row is a list")
                return nil
            }
            guard values.count == names.count else {
                findings.error(place[index], "the row has \(values.count) values, but there are \(names.count) names")
                return nil
            }
            objects.append(.object(Array(zip(names, values))))
        }
        return JSONTreeWriter.line(.array(objects), layout)
    }
}
