import StrataCore

/// The tables of join rows in a database of another program, which become many-to-many relationships.
///
/// A table of join rows has two columns, each of which refers to a row, is never null, and is a key only together with
/// the other one. No other table refers to it.
struct ForeignJoins {
    /// A many-to-many relationship, as a property of the table to which the first column refers.
    private struct Join {
        let owner: String
        let target: String
        let name: String
        let inverse: String
    }

    private let tables: [ForeignTable]
    /// The relationships by the labels of their tables.
    private var joins: [String: Join] = [:]

    init(_ tables: [ForeignTable]) {
        self.tables = tables
        var names = Dictionary(
            tables.map { ($0.label, Set($0.columns.map { Self.folded($0.label) })) },
            uniquingKeysWith: { first, _ in first })
        for table in tables where isJoin(table) {
            let ends = Self.ends(of: table).map(\.table)
            let other = Self.name(table.label)
            // If the name of the other table is in use, the relationship has the name of the table of join rows.
            func isFree(_ name: String, in end: String) -> Bool { names[end]?.contains(Self.folded(name)) == false }
            guard let other,
                let name = [Self.name(ends[1]), other].compactMap(\.self).first(where: { isFree($0, in: ends[0]) })
            else { continue }
            names[ends[0]]?.insert(Self.folded(name))
            let suffix = ends[0] == ends[1] ? "Inverse" : ""
            guard
                let inverse = [Self.name(ends[0]), other].compactMap({ $0.map { $0 + suffix } })
                    .first(where: { isFree($0, in: ends[1]) })
            else { continue }
            names[ends[1]]?.insert(Self.folded(inverse))
            joins[table.label] = Join(owner: ends[0], target: ends[1], name: name, inverse: inverse)
        }
    }

    private func isJoin(_ table: ForeignTable) -> Bool {
        let columns = table.columns.map(\.label)
        return !table.isView && columns.count == 2 && table.columns.allSatisfy(\.isRequired)
            && table.references.count == 2 && Set(table.references.map(\.columns)) == Set(columns.map { [$0] })
            && ([table.primaryKey] + table.uniqueKeys).allSatisfy { $0.isEmpty || Set($0) == Set(columns) }
            && !(table.primaryKey.isEmpty && table.uniqueKeys.isEmpty)
            && !tables.contains { $0.references.contains { $0.table == table.label } }
    }

    /// Returns the references of a table of join rows in the order of their columns.
    private static func ends(of table: ForeignTable) -> [ForeignTable.Reference] {
        table.columns.compactMap { column in table.references.first { $0.columns == [column.label] } }
    }

    /// Returns the name of a property for that of a table, such as `noteTags` for `note_tags`; `nil` if the name has
    /// other characters.
    private static func name(_ label: String) -> String? {
        let words = label.split(separator: "_")
        let isPlain = label.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard isPlain, let first = words.first, first.first?.isLetter == true else { return nil }
        return words.dropFirst().reduce(first.prefix(1).lowercased() + first.dropFirst()) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    private static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    /// Returns the description of a table in a descriptor.
    func resource(of table: ForeignTable) -> JSONValue {
        let links = joins.sorted { $0.key < $1.key }.filter { $0.value.owner == table.label }.map { through, join in
            JSONValue.object([
                ("name", .string(join.name)), ("resource", .string(join.target)), ("inverse", .string(join.inverse)),
                ("through", .string(through)),
            ])
        }
        guard joins[table.label] != nil else { return table.resource(links: links) }
        return table.joinResource(Self.ends(of: table))
    }
}
