import StrataCore

/// A table of a SQLite database of another program.
package struct ForeignTable: Sendable {
    /// A column, and the form in which its values are read.
    struct Column: Sendable {
        /// The name in SQL.
        let name: String
        /// The name in descriptors and texts, which differs from that of every other column also after normalization.
        var label: String
        /// The declared type, which SQLite does not enforce.
        let declared: String
        var isRequired: Bool
        var form = ForeignForm.text
        /// A Boolean value that indicates whether a row has a value other than null.
        var hasValues = false
        /// A Boolean value that indicates whether the column's declared type or name says that its values are dates.
        let isDateLike: Bool
    }

    /// A reference to another table, or to the same one.
    struct Reference: Sendable {
        /// The labels of the columns.
        let columns: [String]
        /// The name of the other table, and its label after the reference was checked.
        let table: String
        /// The names of the other table's columns, and their labels after the reference was checked.
        let keys: [String]
        let deleteRule: DeleteRule
    }

    /// The name of the table in SQL.
    package let name: String
    /// The name in descriptors and messages, which differs from that of every other table also after normalization.
    package internal(set) var label = ""
    /// The count of rows.
    package internal(set) var rowCount = 0

    var columns: [Column]
    /// The labels of the declared primary key's columns in the order of the key; empty if the table has none.
    let declaredKey: [String]
    /// The same labels, if the values obey the key.
    var primaryKey: [String] = []
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

    func column(_ label: String) -> Column? { columns.first { $0.label == label } }

    /// Sets the form of each column, and returns the notes about columns whose values are not those of the declared
    /// type, and those about columns with values of several kinds.
    mutating func decide(
        _ statistics: [ForeignColumnStatistics], readsTimes: Bool
    ) -> (notes: [String], mixed: [String]) {
        var (notes, mixed): ([String], [String]) = ([], [])
        for (place, found) in statistics.enumerated() {
            let decision = found.form(columns[place], readsTimes: readsTimes)
            columns[place].form = decision.form
            columns[place].hasValues = found.nulls < rowCount
            let isKey = declaredKey.contains(columns[place].label)
            columns[place].isRequired = (columns[place].isRequired || isKey) && found.nulls == 0
            if let note = decision.note { notes.append("\(label).\(columns[place].label): \(note)") }
            if found.hasSeveralKinds, decision.form != .double, let note = notes.last { mixed.append(note) }
            if columns[place].label == rowColumn {
                usesRowNumbers =
                    found.integers.map {
                        identifierRange.contains($0.lowerBound) && identifierRange.contains($0.upperBound)
                    } ?? true
            }
        }
        // Values of several kinds can have one text, and a key must not be null.
        func isKey(_ key: [String]) -> Bool { key.allSatisfy { column($0)?.form.isKey ?? false } }
        for key in [declaredKey] + uniqueKeys where !isKey(key) {
            notes.append("\(label).\(key.joined(separator: ", ")): no key, because of the form of its values")
        }
        uniqueKeys = uniqueKeys.filter(isKey)
        if isKey(declaredKey), declaredKey.allSatisfy({ column($0)?.isRequired ?? false }) {
            primaryKey = declaredKey
        } else if isKey(declaredKey) {
            uniqueKeys.append(declaredKey)
            notes.append(
                "\(label).\(declaredKey.joined(separator: ", ")): the primary key contains null; it is a unique key")
        }
        return (notes, mixed)
    }

    private func texts(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }

    /// Returns the description of a foreign key in a descriptor.
    private func foreignKey(_ reference: Reference, _ others: [(String, JSONValue)] = []) -> JSONValue {
        let other = JSONValue.object([
            ("resource", .string(reference.table == label ? "" : reference.table)), ("fields", texts(reference.keys)),
        ])
        return .object([("fields", texts(reference.columns)), ("reference", other)] + others)
    }

    /// Returns the description of a table of join rows in a descriptor.
    func joinResource(_ ends: [Reference]) -> JSONValue {
        let schema = JSONValue.object([
            ("fields", .array(columns.map(\.field))), ("primaryKey", texts(columns.map(\.label))),
            ("foreignKeys", .array(ends.map { foreignKey($0) })),
        ])
        return .object([
            ("name", .string(label)), ("type", .string("table")), ("path", .string("\(label).csv")), ("schema", schema),
        ])
    }

    /// Returns the description of the table in a descriptor.
    ///
    /// - Parameter links: The descriptions of the table's many-to-many relationships.
    /// - Returns: The resource.
    func resource(links: [JSONValue]) -> JSONValue {
        var schema = [JSONValue.Member(name: "fields", value: .array(columns.map(\.field)))]
        func add(_ name: String, _ value: JSONValue) { schema.append(.init(name: name, value: value)) }
        if !primaryKey.isEmpty { add("primaryKey", texts(primaryKey)) }
        if !uniqueKeys.isEmpty { add("uniqueKeys", .array(uniqueKeys.map(texts))) }
        if !references.isEmpty {
            add(
                "foreignKeys",
                .array(
                    references.map {
                        foreignKey($0, [("strata:inverseDeleteRule", .string($0.deleteRule.rawValue))])
                    }))
        }
        let isIdentified = usesRowNumbers && rowColumn.map { primaryKey == [$0] } ?? false
        return .object(
            [("name", .string(label)), ("type", .string("table")), ("path", .string("\(label).csv"))]
                + (isIdentified ? [] : [("strata:ids", .string("own"))])
                + [("strata:order", .string(isIdentified ? "key" : "file")), ("schema", .object(schema))]
                + (links.isEmpty ? [] : [("strata:links", .array(links))]))
    }
}

extension ForeignTable.Column {
    init(name: String, declared: String, isRequired: Bool) {
        let words = Self.words(name)
        let isDeclared = ["DATE", "TIMESTAMP"].contains { declared.uppercased().firstRange(of: $0) != nil }
        let isNamed = words.contains("date") || words.contains("timestamp") || words.last == "at"
        self.init(name: name, declared: declared, isRequired: isRequired, isDateLike: isDeclared || isNamed)
    }

    /// Returns the words of a name such as `created_at` or `createdAt`, in lower case.
    private static func words(_ name: String) -> [String] {
        var words = [""]
        for character in name {
            if !character.isLetter {
                words.append("")
            } else {
                if character.isUppercase, words.last?.last.map(\.isLowercase) ?? false { words.append("") }
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }.map { $0.lowercased() }
    }

    private init(name: String, declared: String, isRequired: Bool, isDateLike: Bool) {
        (self.name, self.label, self.declared) = (name, name, declared)
        (self.isRequired, self.isDateLike) = (isRequired, isDateLike)
    }

    /// The description of the column in a descriptor.
    fileprivate var field: JSONValue {
        var members = [("name", JSONValue.string(label))] + form.members
        if isRequired { members.append(("constraints", .object([("required", .boolean(true))]))) }
        return .object(members)
    }
}
