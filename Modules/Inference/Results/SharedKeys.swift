import StrataCore
import StrataInterchange

/// Chooses keys that their names do not indicate.
///
/// Such a key is a unique column whose name another dataset's column has too, with values that all occur in the key.
struct SharedKeys {
    private let tables: [TableScan]
    private let decisions: [[ColumnDecision]]
    /// The folded names of all columns.
    private let names: [[String]]

    init(_ tables: [TableScan], _ decisions: [[ColumnDecision]]) {
        (self.tables, self.decisions) = (tables, decisions)
        names = tables.map { $0.columns.map { NameMatching.folded($0.name) } }
    }

    /// Chooses keys for datasets that have none.
    ///
    /// - Parameters:
    ///   - keys: The keys that were chosen by their names.
    ///   - parts: The datasets whose keys their owners determine.
    func choose(_ keys: inout [KeyChoice?], parts: [String: ParentReference]) {
        for table in tables.indices
        where keys[table] == nil && !tables[table].isStored && parts[tables[table].name] == nil {
            for column in tables[table].columns.indices {
                guard KeyChoice.isCandidate(tables[table].columns[column], decisions[table][column]),
                    let other = tables.indices.first(where: { refers($0, to: table, column) })
                else { continue }
                keys[table] = KeyChoice(
                    tables[table], decisions[table], column: column,
                    reason: "unique in all \(tables[table].records) records, and the values of \(tables[other].name)."
                        + "\(tables[table].columns[column].name) are among them",
                    isShared: true)
                break
            }
        }
    }

    /// Returns a Boolean value that indicates whether another dataset has a column that references this column.
    ///
    /// Such a column has the same name, and all its values occur in this column.
    private func refers(_ other: Int, to table: Int, _ column: Int) -> Bool {
        let key = tables[table].columns[column]
        // The numbers from 1 on occur in any such column, for example positions and counts.
        guard other != table, !key.key.isNumbering else { return false }
        return tables[other].columns.indices.contains { place in
            let child = tables[other].columns[place]
            guard names[other][place] == names[table][column],
                decisions[other][place].kind == decisions[table][column].kind,
                child.valueCount > 0, child.key.missing(from: [key.key])?.count == 0
            else { return false }
            // If both columns are unique, the dataset with more records has the key.
            return !child.key.isKey || tables[table].records > tables[other].records
        }
    }
}
