import StrataCore

/// Which columns refer to which datasets.
struct ReferenceSearch {
    struct Found {
        let column: Int
        let table: Int
        let reason: String
    }

    let tables: [TableScan]
    let decisions: [[ColumnDecision]]
    let keys: [KeyChoice?]
    private let parts: [String: PartOfDataset]
    /// What is called like a reference and is none, for each table.
    private(set) var notes: [[String]]
    /// What was found, for each table.
    private(set) var found: [[Found]]

    init(
        _ tables: [TableScan], _ decisions: [[ColumnDecision]], keys: [KeyChoice?],
        parts: [String: PartOfDataset]
    ) {
        (self.tables, self.decisions, self.keys, self.parts) = (tables, decisions, keys, parts)
        notes = tables.map { _ in [] }
        found = tables.map { _ in [] }
        for table in tables.indices {
            for column in tables[table].columns.indices { look(table, column) }
        }
    }

    private mutating func look(_ table: Int, _ column: Int) {
        let child = tables[table].columns[column]
        guard child.valueCount > 0 else { return }
        var fits: [(Found, isNamed: Bool)] = []
        for other in tables.indices {
            guard let key = keys[other], other != table || key.column != column else { continue }
            let parent = tables[other].columns[key.column]
            let part = parts[tables[table].name].flatMap { $0.column == child.name ? $0 : nil }
            if let part, part.owner != tables[other].name { continue }
            let named = NamedTables.reason(child.name, to: tables[other].name, key: parent.name)
            guard let reason = part == nil ? named : "the records are parts of \(tables[other].name)" else { continue }
            // A key refers to nothing by its own name.
            if part == nil, keys[table]?.column == column, other != table,
                reason.hasPrefix("its name is that of \(tables[other].name)'s") == false
            {
                continue
            }
            guard decisions[table][column].kind == decisions[other][key.column].kind,
                let missing = child.key.missing(from: parent.key)
            else {
                notes[table].append(
                    "\(child.name) is called like a reference to \(tables[other].name), and was not compared with its key \(parent.name)"
                )
                continue
            }
            guard missing.count == 0 else {
                let line = missing.line > 0 ? ", from line \(missing.line) on" : ""
                notes[table].append(
                    "\(child.name) is called like a reference to \(tables[other].name), whose key \(parent.name) lacks \(missing.count) of its values\(line): no reference"
                )
                continue
            }
            fits.append(
                (
                    Found(
                        column: column, table: other,
                        reason: "all \(child.valueCount) values are there, and \(reason)"),
                    reason.hasSuffix("that of \(tables[other].name)")
                ))
        }
        // Of several with that key, the table whose name the column has, or else the larger one.
        let best = fits.max { left, right in
            if left.isNamed != right.isNamed { return right.isNamed }
            return tables[left.0.table].records < tables[right.0.table].records
        }
        if let best { found[table].append(best.0) }
    }
}
