import StrataCore
import StrataInterchange

/// A search for the columns that reference other datasets.
///
/// A column is a reference if its name indicates another dataset or the key of another dataset, if it has the same type
/// as that key, and if all of its values occur in that key. If only the name indicates it, a note in ``notes`` contains
/// the reason why the column is not a reference. For integers there are further doubts, because a range of identifiers
/// contains most small integers.
struct ReferenceSearch {
    /// A reference that was found.
    struct Found {
        /// The index of the referencing column in its table.
        let column: Int
        /// The index of the referenced table.
        let table: Int
        let reason: String
        /// A Boolean value that indicates whether the table's records are parts of the other table's records.
        let isPart: Bool
    }

    /// All datasets, also those that are only in a store.
    let tables: [TableScan]
    /// The types of the columns, by table and column.
    let decisions: [[ColumnDecision]]
    /// The keys of the tables, by table; `nil` for a table without a key.
    let keys: [KeyChoice?]
    /// The references of datasets whose records are parts of other records, by dataset name.
    private let parts: [String: ParentReference]
    /// The columns that Strata generates, by dataset name.
    private let made: [String: Set<String>]
    /// The names of the datasets whose keys the user specified.
    private let given: Set<String>
    /// For each table, notes about columns that have the name of a reference, but are not references.
    private(set) var notes: [[String]]
    /// For each table, its references that were found.
    private(set) var found: [[Found]]

    /// Searches the columns of all datasets that were read.
    init(
        _ tables: [TableScan], _ decisions: [[ColumnDecision]], keys: [KeyChoice?],
        given: Set<String>, parts: [String: ParentReference], made: [String: Set<String>]
    ) {
        self.made = made
        (self.tables, self.decisions, self.keys, self.given, self.parts) = (tables, decisions, keys, given, parts)
        notes = tables.map { _ in [] }
        found = tables.map { _ in [] }
        for table in tables.indices where !tables[table].isStored {
            for column in tables[table].columns.indices { look(table, column) }
        }
    }

    /// Searches for the table that a column references, and adds the reference or the notes.
    private mutating func look(_ table: Int, _ column: Int) {
        let child = tables[table].columns[column]
        guard child.valueCount > 0, !isMade(child.name, table), !decisions[table][column].storesJSON else { return }
        var fits: [(Found, isNamed: Bool)] = []
        for other in tables.indices {
            guard let key = keys[other], other != table || key.column != column, !isCovered(other) else { continue }
            let parent = tables[other].columns[key.column]
            let part = parts[tables[table].name].flatMap { $0.column == child.name ? $0 : nil }
            if let part, part.owner != tables[other].name { continue }
            if part == nil, isMade(parent.name, other) { continue }
            let named =
                NamedTables.reason(child.name, to: tables[other].name, key: parent.name)
                ?? sameName(child.name, of: other, key: parent.name)
            guard let reason = part == nil ? named : "the records are parts of \(tables[other].name)" else { continue }
            let byTable = NamedTables.isNamed(child.name, of: tables[other].name)
            // A key references at most one other table with a key of the same name.
            if part == nil, keys[table]?.column == column, other != table,
                named == nil || !reason.hasPrefix("its name is that of \(tables[other].name)'s")
                    || !refersAsKey(table, other, byTable: byTable)
            {
                continue
            }
            let called = "\(child.name) is named like a reference to \(tables[other].name)"
            let (kind, keyKind) = (decisions[table][column].kind, decisions[other][key.column].kind)
            guard kind == keyKind else {
                notes[table].append(
                    "\(called), whose key \(parent.name) is \(keyKind.name), not \(kind.name): no reference")
                continue
            }
            guard child.emptyCount == 0 else {
                notes[table].append(
                    "\(called), but has empty texts in quotes: no reference; --null '' reads them as null")
                continue
            }
            if part != nil {
                // The owner of a part is known, however many values there are.
                fits.append((Found(column: column, table: other, reason: reason, isPart: true), byTable))
                continue
            }
            guard let missing = child.key.missing(from: [parent.key] + storedKeys(other)) else {
                notes[table].append("\(called), but was not compared with its key \(parent.name)")
                continue
            }
            guard missing.count == 0 else {
                let line = missing.line > 0 ? ", from line \(missing.line) on" : ""
                notes[table].append(
                    "\(called), whose key \(parent.name) does not contain \(missing.count) of its values\(line): no "
                        + "reference")
                continue
            }
            if let doubt = doubt(child, other, byTable: byTable) {
                notes[table].append(
                    "\(called), and all its values are there, but \(doubt): not a reference, unless the model file declares it"
                )
                continue
            }
            fits.append(
                (
                    Found(
                        column: column, table: other,
                        reason: "all \(child.valueCount) values are there, and \(reason)", isPart: false),
                    byTable
                ))
        }
        // Of several tables with that key, choose the one that the column is named after, or else the larger one.
        let best = fits.max { left, right in
            if left.isNamed != right.isNamed { return right.isNamed }
            return tables[left.0.table].records < tables[right.0.table].records
        }
        if let best { found[table].append(best.0) }
    }

    /// Returns a Boolean value that indicates whether Strata generated a column.
    private func isMade(_ column: String, _ table: Int) -> Bool {
        made[tables[table].name]?.contains(column) ?? false
    }

    /// Returns a Boolean value that indicates whether a table contains the stored keys of a dataset that is also read
    /// from files.
    ///
    /// The key of the dataset that is read then contains the values of both tables.
    private func isCovered(_ table: Int) -> Bool {
        tables[table].isStored && tables.contains { !$0.isStored && $0.name == tables[table].name }
    }

    /// Returns the stored keys of a dataset that is also read from files.
    private func storedKeys(_ table: Int) -> [KeyScan] {
        tables[table].isStored
            ? [] : tables.filter { $0.isStored && $0.name == tables[table].name }.map { $0.columns[0].key }
    }

    /// Returns the reason that a column has the name of a key which several datasets share; `nil` if it does not.
    private func sameName(_ column: String, of table: Int, key: String) -> String? {
        guard keys[table]?.isShared ?? false, NameMatching.isSame(column, key) else { return nil }
        return "its name is that of \(tables[table].name)'s key \(key)"
    }

    /// Returns a Boolean value that indicates whether the key of a table references the equally named key of another
    /// table.
    ///
    /// The referenced table is the one whose name the key contains. If there is none, it is the larger table, or the
    /// first table if both are equally large.
    private func refersAsKey(_ table: Int, _ other: Int, byTable: Bool) -> Bool {
        guard let key = keys[table] else { return false }
        let isOwn = NamedTables.isNamed(tables[table].columns[key.column].name, of: tables[table].name)
        if isOwn || byTable { return !isOwn }
        let (count, otherCount) = (tables[table].records, tables[other].records)
        return otherCount > count || otherCount == count && other < table
    }

    /// Returns the reason why a column of integers with the name of a reference may not be one; `nil` if there is no
    /// such reason.
    ///
    /// Such a check is necessary because small integers occur in any set of identifiers.
    private func doubt(_ child: ColumnScan, _ other: Int, byTable: Bool) -> String? {
        guard child.key.areIntegers, let key = keys[other] else { return nil }
        let parent = tables[other].columns[key.column]
        if NamedTables.isCount(child.name) { return "the name can also mean a count" }
        if NamedTables.isBare(child.name), child.key.isNumbering {
            return "the values are the numbers from \(child.key.least) on, like positions"
        }
        if !byTable, !given.contains(tables[other].name), parent.key.isNumbering,
            NamedTables.isNumber(parent.name), !NamedTables.saysTable(parent.name, tables[other].name),
            NamedTables.words(child.name) == NamedTables.words(parent.name)
        {
            return
                "the values are the numbers from \(parent.key.least) on, and no name indicates \(tables[other].name)"
        }
        return nil
    }
}
