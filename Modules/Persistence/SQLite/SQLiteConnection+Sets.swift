import CStrataSQLite
import StrataCore
import StrataSQL

/// Many rows by one statement each.
extension SQLiteConnection {
    func changedRows(_ sql: String, _ values: [StoredValue], in layout: SQLLayout) throws -> [Int64] {
        try changedRows { try statement(sql).run(values) }
    }

    /// References are checked when the transaction ends, but SQLite counts those that lead nowhere as it goes.
    func checkDeferredReferences(of entity: EntityDescription, in layout: SQLLayout) throws {
        guard hasDanglingReferences else { return }
        throw PersistenceError(
            .danglingReference, "a reference leads to an object that does not exist", entity: entity.name)
    }
}

extension SQLiteConnection {
    /// The identifiers of the rows that statements insert, change or delete while `body` runs, ascending.
    ///
    /// SQLite tells them as it goes, which costs some nanoseconds each; giving them as a statement's rows would keep all of them in its memory first. It does not
    /// tell of rows without an identifier of their own, which pairs are.
    fileprivate func changedRows(_ body: () throws -> Void) rethrows -> [Int64] {
        let changed = ChangedRows()
        // SAFETY: the hook is taken back before the object goes, and runs on this thread only, inside a statement of the body's.
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

    /// Whether rows refer to others that do not exist, as far as the open transaction has changed any of them.
    fileprivate var hasDanglingReferences: Bool {
        var (count, highest): (Int32, Int32) = (0, 0)
        _ = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        return count > 0
    }
}

/// The identifiers of rows as SQLite tells them.
private final class ChangedRows {
    /// Unchecked, as looking for overlapping accesses takes as long as the rest; it is filled by one thread, inside one statement.
    @exclusivity(unchecked) private var ids: [Int64] = []
    /// Statements mostly go through a table in its order.
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
