import CStrataSQLite
import StrataCore
import StrataSQL

/// The statements that change all rows that a condition selects.
extension SQLiteConnection {
    func changedRows(_ sql: String, _ values: [StoredValue], in layout: SQLLayout) throws -> [Int64] {
        try changedRows { try statement(sql).run(values) }
    }

    /// Throws if the transaction has made references dangling.
    ///
    /// SQLite itself checks references only at the commit, but reports meanwhile whether any are dangling.
    func checkDeferredReferences(of entity: EntityDescription, in layout: SQLLayout) throws {
        guard hasDanglingReferences else { return }
        throw PersistenceError(
            .danglingReference, "a reference refers to an object that does not exist", entity: entity.name)
    }
}

extension SQLiteConnection {
    /// Runs `body` and returns the identifiers of the rows that its statements inserted, changed or deleted, in
    /// ascending order.
    ///
    /// SQLite reports each row to a hook, which takes some nanoseconds per row. A `RETURNING` clause would first
    /// collect all rows in SQLite's memory. The hook does not report rows of tables without row identifiers, such as
    /// the tables of join rows.
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

/// The identifiers of the changed rows, which SQLite's hook adds one by one.
private final class ChangedRows {
    /// The identifiers; the array has no exclusivity checks, which would double the time for each row.
    ///
    /// Only one thread appends to the array, while one statement runs.
    @exclusivity(unchecked) private var ids: [Int64] = []
    /// A Boolean value that indicates whether the identifiers were added in ascending order, as by most statements.
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
