package import StrataCore

/// A table of a SQLite database of another program.
package struct ForeignTable: Sendable {
    /// A column, and the form in which its values are read.
    struct Column: Sendable {
        let name: String
        /// The declared type, which SQLite does not enforce.
        let declared: String
        var isRequired: Bool
        var form = ForeignForm.text
        /// A Boolean value that indicates whether the column's declared type or name says that its values are dates.
        let isDateLike: Bool
    }

    /// A reference to another table, or to the same one.
    struct Reference: Sendable {
        let columns: [String]
        let table: String
        let keys: [String]
        let deleteRule: DeleteRule
    }

    /// The name of the table.
    package let name: String
    /// The count of rows.
    package internal(set) var rowCount = 0

    var columns: [Column]
    /// The columns of the primary key in the order of the key; empty if the table has none.
    var primaryKey: [String]
    /// The other keys whose values are unique.
    var uniqueKeys: [[String]]
    var references: [Reference]
    /// The column that is the row's number, by which SQLite finds it.
    var rowColumn: String?
    /// A Boolean value that indicates whether the table is a view.
    var isView = false
    /// The terms by which the rows are ordered.
    let order: [String]

    /// A Boolean value that indicates whether the row numbers become the identifiers of a store.
    var usesRowNumbers = false

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// Sets the form of each column, and returns the notes about columns whose values are not those of the declared
    /// type, and those about columns with values of several kinds.
    mutating func decide(_ statistics: [ForeignColumnStatistics]) -> (notes: [String], mixed: [String]) {
        var (notes, mixed): ([String], [String]) = ([], [])
        for (place, found) in statistics.enumerated() {
            let decision = found.form(columns[place])
            columns[place].form = decision.form
            columns[place].isRequired = found.nulls == 0 && rowCount > 0
            if let note = decision.note { notes.append("\(name).\(columns[place].name): \(note)") }
            if decision.form == .mixed, let note = notes.last { mixed.append(note) }
            if columns[place].name == rowColumn {
                usesRowNumbers =
                    found.integers.map {
                        identifierRange.contains($0.lowerBound) && identifierRange.contains($0.upperBound)
                    } ?? true
            }
        }
        // Values of several kinds can have one text, and a key must not be null.
        func isKey(_ key: [String]) -> Bool { key.allSatisfy { column($0)?.form.isKey ?? false } }
        uniqueKeys = uniqueKeys.filter(isKey)
        if !isKey(primaryKey) {
            primaryKey = []
        } else if !primaryKey.allSatisfy({ column($0)?.isRequired ?? false }), rowCount > 0 {
            uniqueKeys.append(primaryKey)
            primaryKey = []
        }
        return (notes, mixed)
    }

    /// Removes references whose destination has lost its key.
    mutating func settleKeys(in tables: [ForeignTable]) {
        references.removeAll { reference in
            guard let other = tables.first(where: { $0.name == reference.table }) else { return true }
            return other.primaryKey != reference.keys && !other.uniqueKeys.contains(reference.keys)
        }
    }

    /// The description of the table in a descriptor.
    package var resource: JSONValue {
        var schema = [JSONValue.Member(name: "fields", value: .array(columns.map(\.field)))]
        func add(_ name: String, _ value: JSONValue) { schema.append(.init(name: name, value: value)) }
        func texts(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
        if !primaryKey.isEmpty { add("primaryKey", texts(primaryKey)) }
        if !uniqueKeys.isEmpty { add("uniqueKeys", .array(uniqueKeys.map(texts))) }
        if !references.isEmpty {
            add(
                "foreignKeys",
                .array(
                    references.map { reference in
                        .object([
                            ("fields", texts(reference.columns)),
                            (
                                "reference",
                                .object([
                                    ("resource", .string(reference.table == name ? "" : reference.table)),
                                    ("fields", texts(reference.keys)),
                                ])
                            ),
                            ("strata:inverseDeleteRule", .string(reference.deleteRule.rawValue)),
                        ])
                    }))
        }
        let isIdentified = usesRowNumbers && rowColumn.map { primaryKey == [$0] } ?? false
        return .object(
            [("name", .string(name)), ("type", .string("table")), ("path", .string("\(name).csv"))]
                + (isIdentified ? [] : [("strata:ids", .string("own"))])
                + [("strata:order", .string(isIdentified ? "key" : "file")), ("schema", .object(schema))])
    }
}

extension ForeignTable.Column {
    init(name: String, declared: String, isRequired: Bool) {
        let words = name.lowercased()
        let isDeclared = ["DATE", "TIMESTAMP"].contains { declared.uppercased().firstRange(of: $0) != nil }
        let isNamed =
            words.hasSuffix("_at") || name.hasSuffix("At") || words.hasSuffix("date") || words.hasPrefix("date")
        self.init(
            name: name, declared: declared, isRequired: isRequired,
            isDateLike: isDeclared || isNamed || words.hasSuffix("timestamp"))
    }

    private init(name: String, declared: String, isRequired: Bool, isDateLike: Bool) {
        (self.name, self.declared, self.isRequired, self.isDateLike) = (name, declared, isRequired, isDateLike)
    }

    /// The description of the column in a descriptor.
    fileprivate var field: JSONValue {
        var members = [("name", JSONValue.string(name))] + form.members
        if isRequired { members.append(("constraints", .object([("required", .boolean(true))]))) }
        return .object(members)
    }
}
