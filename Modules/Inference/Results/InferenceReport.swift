/// The results of the inference and their reasons: as JSON for programs, and as text for people.
public struct InferenceReport: Sendable, Encodable {
    /// A dataset.
    public struct Entity: Sendable, Encodable {
        /// The entity's name in the model.
        public internal(set) var name: String
        /// The name of the file.
        public internal(set) var source: String
        /// The count of records that were read.
        public internal(set) var records: Int
        /// The columns in their order.
        public internal(set) var columns: [Column]
        /// The key; `nil` if objects get generated identifiers.
        public internal(set) var key: Key?
        /// The references of its columns.
        public internal(set) var references: [Reference] = []
        /// Further remarks, as text.
        public internal(set) var notes: [String] = []
    }

    /// A column of a dataset.
    public struct Column: Sendable, Encodable {
        /// The name in the file.
        public internal(set) var name: String
        /// The name in the model.
        public internal(set) var attribute: String
        /// The type, with the names of the model: `text`, `integer`, `decimal(2)`.
        public internal(set) var type: String
        /// A Boolean value that indicates whether the column may be null.
        public internal(set) var optional: Bool
        /// The count of null cells.
        public internal(set) var nulls: Int
        /// The types that the column does not have, each with the first cell that does not match.
        public internal(set) var refused: [Refusal]
        /// The type that most cells match, if the column has another type because of the other cells.
        public internal(set) var nearest: Refusal?
        /// The count of cells that are not null.
        public internal(set) var values: Int
        /// Further remarks, as text.
        public internal(set) var notes: [String] = []
    }

    /// The reason why a column does not have a type.
    public struct Refusal: Sendable, Encodable, Hashable {
        /// The type.
        public internal(set) var type: String
        /// The physical line of the cell, from 1.
        public internal(set) var line: Int
        /// The cell, or its first 80 characters.
        public internal(set) var text: String
        /// The text that Strata would write for the cell; `nil` if the cell is not a value of the type.
        public internal(set) var written: String?
        /// The count of cells that do not match the type; `nil` if they were not counted, because few cells match.
        public internal(set) var cells: Int?
    }

    /// The columns that are unique and present in every record.
    public struct Key: Sendable, Encodable {
        /// The columns.
        public internal(set) var columns: [String]
        /// The reason why the columns were chosen.
        public internal(set) var reason: String
    }

    /// A column that references another dataset.
    public struct Reference: Sendable, Encodable {
        /// The column.
        public internal(set) var column: String
        /// The dataset and its key: `countries.code`.
        public internal(set) var to: String
        /// The reason why the column is considered a reference.
        public internal(set) var reason: String
    }

    /// The datasets in the order in which they were read.
    public internal(set) var entities: [Entity]

    /// The report as text lines, one for each decision that the user may want to change.
    public var lines: [String] {
        var lines: [String] = []
        for entity in entities {
            lines.append(
                "\(entity.source): \(entity.records) \(entity.records == 1 ? "record" : "records") of \(entity.name)")
            for column in entity.columns {
                var line = "  \(column.name): \(column.type)"
                if column.type.hasPrefix("text") { line += column.reason }
                if column.optional, column.nulls > 0 { line += ", \(column.nulls) null" }
                lines.append(line)
                lines += column.notes.map { "    \($0)" }
            }
            if let key = entity.key { lines.append("  key: \(key.columns.joined(separator: ", ")), \(key.reason)") }
            lines += entity.references.map { "  \($0.column) refers to \($0.to): \($0.reason)" }
            lines += entity.notes.map { "  \($0)" }
        }
        return lines
    }
}

extension InferenceReport.Column {
    /// The reason why the column is a text.
    ///
    /// The reason is the first cell that does not match the type of most cells. If there is none, it is the first cell
    /// that would be written differently, for example because of leading zeros.
    fileprivate var reason: String {
        guard
            let refusal = nearest
                ?? refused.first(where: { $0.written != nil && ["integer", "decimal"].contains($0.type) })
        else {
            return ""
        }
        let written = refusal.written.map { " would be written as \($0)" } ?? ""
        let cells = refusal.cells.map { " (\($0) of \(values) cells)" } ?? ""
        return ", not \(refusal.type): line \(refusal.line) \"\(refusal.text)\"\(written)\(cells)"
    }
}
