/// What was found in the data, and why: for programs as JSON, and for people in words.
public struct InferenceReport: Sendable, Encodable {
    /// A dataset.
    public struct Entity: Sendable, Encodable {
        /// The entity's name in the model.
        public internal(set) var name: String
        /// The file.
        public internal(set) var source: String
        /// How many records were read.
        public internal(set) var records: Int
        /// The columns in their order.
        public internal(set) var columns: [Column]
        /// The key; `nil` where objects get identifiers of their own.
        public internal(set) var key: Key?
        /// What its columns lead to.
        public internal(set) var references: [Reference] = []
        /// What else was noticed, in words.
        public internal(set) var notes: [String] = []
    }

    /// A column.
    public struct Column: Sendable, Encodable {
        /// What the file calls it.
        public internal(set) var name: String
        /// What the model calls it.
        public internal(set) var attribute: String
        /// The type, in the words of the model: `text`, `integer`, `decimal(2)`.
        public internal(set) var type: String
        /// Whether it may be null.
        public internal(set) var optional: Bool
        /// How many cells are null.
        public internal(set) var nulls: Int
        /// The types that it is not, each with the first cell that is none.
        public internal(set) var refused: [Refusal]
        /// The type that most cells have, where the column is of another one because of the others.
        public internal(set) var nearest: Refusal?
        /// The number of cells that are not null.
        public internal(set) var values: Int
        /// What else was noticed, in words.
        public internal(set) var notes: [String] = []
    }

    /// Why a column is not of a type.
    public struct Refusal: Sendable, Encodable, Hashable {
        /// The type.
        public internal(set) var type: String
        /// The physical line of the cell, from 1.
        public internal(set) var line: Int
        /// The cell, or its first 80 characters.
        public internal(set) var text: String
        /// What would be written for it; `nil` where it is no value of the type.
        public internal(set) var written: String?
        /// The number of cells that are not of the type; `nil` if they were not counted, as few cells are of the type.
        public internal(set) var cells: Int?
    }

    /// What is unique and present in every record.
    public struct Key: Sendable, Encodable {
        /// The columns.
        public internal(set) var columns: [String]
        /// Why they were taken.
        public internal(set) var reason: String
    }

    /// A column that refers to another dataset.
    public struct Reference: Sendable, Encodable {
        /// The column.
        public internal(set) var column: String
        /// The dataset and its key: `countries.code`.
        public internal(set) var to: String
        /// Why it was taken for one.
        public internal(set) var reason: String
    }

    /// The datasets in the order in which they were read.
    public internal(set) var entities: [Entity]

    /// One line for each thing that somebody might want otherwise.
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
    /// Why the column is a text: the first cell that is not of the type that most cells have, or else the first one
    /// that would be written otherwise, as leading zeros are.
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
