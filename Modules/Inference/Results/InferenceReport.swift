/// The inferred model and the reasons for it: as JSON for programs, and as text for people.
///
/// A program encodes the report with a JSON encoder. The members of the JSON objects have the names of the properties,
/// and a property that is `nil` is omitted. People read ``lines``. The texts of reasons and notes are for people; their
/// wording is not stable.
///
/// The report quotes cells of the data. Treat it with the same confidentiality as the data.
///
/// ## Topics
///
/// ### Reading the report
///
/// - ``lines``
/// - ``entities``
///
/// ### Examining decisions
///
/// - ``Entity``
/// - ``Column``
/// - ``Key``
/// - ``Reference``
/// - ``Refusal``
public struct InferenceReport: Sendable, Encodable {
    /// The results for one dataset.
    public struct Entity: Sendable, Encodable {
        /// The name of the dataset's entity in the model.
        ///
        /// A dataset that becomes a many-to-many relationship has no entity; its value is the name of the dataset.
        public internal(set) var name: String
        /// The name of the dataset's file, or the name of the first file and the count of further files.
        public internal(set) var source: String
        /// The count of the dataset's records that were read, without invalid records that were skipped.
        public internal(set) var records: Int
        /// The results for the columns, in the order of the columns.
        public internal(set) var columns: [Column]
        /// The key of the dataset; `nil` if rows have generated identifiers.
        ///
        /// If unique columns exist, but none has the name of a key, ``notes`` contains the option that chooses one of
        /// them.
        public internal(set) var key: Key?
        /// The columns of the dataset that reference other datasets.
        ///
        /// A column with the name of a reference whose values do not all exist is not in this list; ``notes`` explains
        /// the reason.
        public internal(set) var references: [Reference] = []
        /// Further remarks about the dataset, as text.
        public internal(set) var notes: [String] = []
    }

    /// The results for one column of a dataset.
    public struct Column: Sendable, Encodable {
        /// The name of the column in the file, or the name to which the reading options rename it.
        public internal(set) var name: String
        /// The name of the attribute in the model; `id` if the column contains the identifiers of rows.
        public internal(set) var attribute: String
        /// The inferred type of the column, with the names of the model: `text`, `integer`, `decimal(2)`.
        ///
        /// A spelling that differs from the default follows the type, as in `day (%d.%m.%Y)` and `boolean (yes, no)`.
        public internal(set) var type: String
        /// A Boolean value that indicates whether the column may be null.
        ///
        /// It is `true` for each column if only a sample of the records was read.
        public internal(set) var optional: Bool
        /// The count of null cells, including the records of files that do not have the column.
        public internal(set) var nulls: Int
        /// The types that the column does not have, each with the first cell that does not match the type.
        ///
        /// The list contains only types that the inference would prefer to the chosen type. They are sorted from the
        /// narrowest to the widest.
        public internal(set) var refused: [Refusal]
        /// The type that more than half of the cells match, but not all; `nil` if there is none.
        ///
        /// A mistake in a few cells is the usual cause. The value is `nil` if the user specified the type, or if the
        /// type is wider than the chosen one.
        public internal(set) var nearest: Refusal?
        /// The count of cells of the column that are not null.
        public internal(set) var values: Int
        /// Further remarks about the column, as text.
        public internal(set) var notes: [String] = []
    }

    /// The reason why a column does not have a type.
    public struct Refusal: Sendable, Encodable, Hashable {
        /// The type that the column does not have.
        public internal(set) var type: String
        /// The physical line of the first cell that does not match the type, from 1, in the file of this cell.
        public internal(set) var line: Int
        /// The text of this cell, or its first 80 characters.
        public internal(set) var text: String
        /// The text that Strata would write for the cell; `nil` if the cell is not a value of the type.
        public internal(set) var written: String?
        /// The count of cells that do not match the type; `nil` if they were not counted, because few cells match.
        public internal(set) var cells: Int?
    }

    /// The key of a dataset: the columns that together are unique and never null.
    public struct Key: Sendable, Encodable {
        /// The names of the columns that form the key.
        public internal(set) var columns: [String]
        /// The reason why the inference chose these columns, such as `as specified`.
        public internal(set) var reason: String
    }

    /// A column that references another dataset.
    public struct Reference: Sendable, Encodable {
        /// The name of the referencing column.
        public internal(set) var column: String
        /// The referenced dataset and its key column: `countries.code`; the column is `id` if the dataset has no key
        /// column.
        public internal(set) var to: String
        /// The reason why the inference considers the column a reference.
        public internal(set) var reason: String
    }

    /// The results for the datasets, in the order in which the datasets were read.
    public internal(set) var entities: [Entity]

    /// The report as text lines, one for each decision that the user may want to change.
    ///
    /// A dataset begins with a line without indentation: its file, the count of its records, and its entity. The lines
    /// for its columns, its key, its references and its notes follow, indented by two spaces. Lines have no line feed
    /// at their end.
    ///
    /// - Complexity: O(*n*) in the count of columns; each access builds the lines again.
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
    /// The reason why the type of the column is text.
    ///
    /// The reason is the first cell that does not match the type of most cells. If most cells match no type, the reason
    /// is the first cell that Strata would write differently, for example because of leading zeros.
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
