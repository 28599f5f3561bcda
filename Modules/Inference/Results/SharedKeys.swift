import StrataCore
import StrataInterchange

/// Functions that choose keys whose names do not suggest a key.
///
/// Such a key is a unique column. Another dataset has a column with the same name, all of whose values occur in the
/// key.
///
/// This search runs after the keys were chosen by their names, because it applies only to datasets that still have no
/// key.
struct SharedKeys {
    private let tables: [TableScan]
    private let decisions: [[ColumnDecision]]
    /// The folded names of the columns of each dataset.
    private let names: [[String]]

    init(_ tables: [TableScan], _ decisions: [[ColumnDecision]]) {
        (self.tables, self.decisions) = (tables, decisions)
        names = tables.map { $0.columns.map { NameMatching.folded($0.name) } }
    }

    /// Chooses keys for the datasets that do not have a key yet.
    ///
    /// - Parameters:
    ///   - keys: The keys that were chosen by their names; the chosen keys are added.
    ///   - parts: The references of datasets whose records are parts of other records; they need no key.
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

    /// Returns a Boolean value that indicates whether another dataset has a column that may reference this column.
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
