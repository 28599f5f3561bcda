import CStrataSQLite
import StrataCore
import StrataSQL

/// Statements that change many rows.
extension SQLiteConnection {
    func changedRows(_ sql: String, _ values: [StoredValue], in layout: SQLLayout) throws -> [Int64] {
        try changedRows { try statement(sql).run(values) }
    }

    /// Throws if the transaction has made references dangling.
    ///
    /// SQLite checks the references at the commit, but it maintains a count of the dangling ones.
    func checkDeferredReferences(of entity: EntityDescription, in layout: SQLLayout) throws {
        guard hasDanglingReferences else { return }
        throw PersistenceError(
            .danglingReference, "a reference refers to an object that does not exist", entity: entity.name)
    }
}

extension SQLiteConnection {
    /// Returns the ascending identifiers of the rows that statements insert, change or delete while `body` runs.
    ///
    /// SQLite reports each row to a hook, which takes some nanoseconds per row. A `RETURNING` clause would first store
    /// all rows in SQLite's memory. The hook does not report rows of tables without row identifiers, such as join
    /// tables.
    fileprivate func changedRows(_ body: () throws -> Void) rethrows -> [Int64] {
        let changed = ChangedRows()
        // SAFETY: the hook is removed before the object is deallocated. It runs only on this thread, inside a statement
        // of `body`.
        sqlite3_update_hook(
            handle, { changed, _, _, _, id in ChangedRows.from(changed)?.add(id) },
            Unmanaged.passUnretained(changed).toOpaque())
        defer {
            sqlite3_update_hook(handle, nil, nil)
            withExtendedLifetime(changed) {}
        }
        try body()
        return changed.sorted()
    }

    /// A Boolean value that indicates whether the open transaction has made references dangling.
    fileprivate var hasDanglingReferences: Bool {
        var (count, highest): (Int32, Int32) = (0, 0)
        _ = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        return count > 0
    }
}

/// The identifiers of rows that SQLite's hook reports.
private final class ChangedRows {
    /// The identifiers, without exclusivity checks, which would double the time.
    ///
    /// Only one thread appends to the array, inside one statement.
    @exclusivity(unchecked) private var ids: [Int64] = []
    /// A Boolean value that indicates whether the identifiers are in ascending order, as most statements report them.
    @exclusivity(unchecked) private var isSorted = true
    @exclusivity(unchecked) private var last = Int64.min

    static func from(_ pointer: UnsafeMutableRawPointer?) -> ChangedRows? {
        pointer.map { Unmanaged<ChangedRows>.fromOpaque($0).takeUnretainedValue() }
    }

    func add(_ id: Int64) {
        if last >= id { isSorted = false }
        last = id
        ids.append(id)
    }

    func sorted() -> [Int64] {
        if !isSorted { ids.sort() }
        return ids
    }
}
