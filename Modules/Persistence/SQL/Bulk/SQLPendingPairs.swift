import Foundation
import StrataCore
import StrataStoreKit

/// The pending join rows of a bulk write, which are in a temporary table and are checked after all rows are written.
///
/// A join row is pending if its source row or its target row does not exist yet or may be removed again.
final class SQLPendingPairs {
    /// A pending join row, as the final check reads it.
    struct Found {
        let number: Int64
        let location: RowLocation
        let pair: JoinPair
        let owner: Int64
        let isNew: Bool
        /// A Boolean value that indicates whether the source row of the join row exists.
        let hasSource: Bool
        let hasTarget: Bool
        let note: [UInt8]
    }

    /// A join row that its owner had before the owner's first update.
    private struct KeptPair {
        let row: JoinRow
        /// A Boolean value that indicates whether the input record that inserted the owner also inserted the join row.
        let isOwn: Bool
    }

    private let layout: SQLLayout
    private let tables: SQLPairStatements
    private let connection: any SQLBulkConnection
    private var count: Int64 = 0
    private var isEmpty = true
    private var hasIndexOfOthers = false
    private var keepsPairs = false

    init(_ layout: SQLLayout, _ connection: any SQLBulkConnection) {
        self.layout = layout
        self.connection = connection
        tables = SQLPairStatements(layout)
    }

    /// Records a pending join row.
    func note(_ pair: PendingPair, note: ArraySlice<UInt8>) throws {
        if isEmpty { for statement in tables.creation { try connection.execute(statement) } }
        isEmpty = false
        count += 1
        func value(_ number: Int64?) -> StoredValue { number.map(StoredValue.integer) ?? .null }
        try connection.run(
            tables.insertion, .integer(count), .integer(Int64(pair.location.source)),
            .integer(Int64(pair.location.record)), .integer(Int64(pair.location.line)), .string(pair.join.name),
            .integer(pair.pair.source), .integer(pair.pair.target), value(pair.inserter.map(Int64.init)),
            value(pair.owner), value(pair.other), .integer(pair.isNew ? 1 : 0),
            note.isEmpty ? .null : .binary(Data(note)))
    }

    /// Deletes the pending join rows of an owner, which is the row whose list column contains them.
    func forget(_ join: JoinDescription, of owner: Int64) throws {
        if !isEmpty { try connection.run(tables.deletionOfOwner, .string(join.name), .integer(owner)) }
    }

    // MARK: Pairs as they were

    /// Records the current join rows of an owner before they are replaced for the first time.
    func keep(_ join: JoinDescription, of owner: Int64, isSource: Bool) throws {
        if !keepsPairs { for statement in tables.creationOfKept { try connection.execute(statement) } }
        keepsPairs = true
        guard try kept(join, of: owner) == nil else { return }
        let request = JoinRequest(join.name, of: isSource ? .source : .target, ids: [owner])
        var rows: [JoinRow] = []
        try connection.joins(request.resolved(in: layout.model), in: layout) { row in
            rows.append(join.kept(row))
            return .next
        }
        let key: [StoredValue] = [.string(join.name), .integer(owner)]
        let own = try brought(join, by: owner)
        try connection.statement(tables.keeping).run(key + [.null, .null, .null, .null, .null])
        for row in rows {
            let positions = [row.sourcePosition, row.targetPosition].map { $0.map(StoredValue.integer) ?? .null }
            try connection.statement(tables.keeping).run(
                key + [.integer(row.pair.source), .integer(row.pair.target)] + positions
                    + [.integer(own.contains(row.pair) ? 1 : 0)])
        }
    }

    /// Returns the pending join rows of an owner that the bulk write inserted.
    private func brought(_ join: JoinDescription, by owner: Int64) throws -> Set<JoinPair> {
        guard !isEmpty else { return [] }
        let statement = try connection.statement(tables.selectionOfNewOwner)
        defer { statement.reset() }
        try statement.bind([.string(join.name), .integer(owner)])
        var pairs: Set<JoinPair> = []
        while try statement.step() {
            let ends = statement.integers(2)
            pairs.insert(JoinPair(source: ends[0], target: ends[1]))
        }
        return pairs
    }

    /// Returns the join rows that an owner had before its first update, or `nil` if they were not recorded.
    private func kept(_ join: JoinDescription, of owner: Int64) throws -> [KeptPair]? {
        let statement = try connection.statement(tables.selectionOfKept)
        defer { statement.reset() }
        try statement.bind([.string(join.name), .integer(owner)])
        var rows: [KeptPair]?
        while try statement.step() {
            rows = rows ?? []
            guard let source = try statement.optionalInteger(at: 0), let target = try statement.optionalInteger(at: 1)
            else { continue }
            rows?.append(
                KeptPair(
                    row: JoinRow(
                        JoinPair(source: source, target: target), sourcePosition: try statement.optionalInteger(at: 2),
                        targetPosition: try statement.optionalInteger(at: 3)),
                    isOwn: try statement.optionalInteger(at: 4) == 1))
        }
        return rows
    }

    /// Restores the join rows that an owner had before its first update.
    ///
    /// The method does not restore a join row if its other end was deleted and the owner did not insert the join row
    /// itself. Join rows that other rows have inserted since then remain. The method records the join rows that the
    /// owner inserted itself as pending again: if one of them is dangling, the previous state of the owner was invalid,
    /// too.
    func restore(_ inserter: SQLPairInserter, of owner: Int64, _ location: RowLocation) throws {
        guard keepsPairs, let owners = inserter.owners, let pairs = try kept(inserter.join, of: owner) else { return }
        let join = inserter.join
        try forget(join, of: owner)
        for side in [true, false] where side == owners.isSource || join.isSymmetric {
            guard isEmpty else {
                try connection.run(tables.removal(join, ofSource: side), .integer(owner), .string(join.name))
                continue
            }
            try connection.run(layout.deletion(join, ofSource: side), .integer(owner))
        }
        for pair in pairs {
            let ends = pair.row.pair
            guard try pair.isOwn || inserter.exists(ends) else { continue }
            try connection.statement(layout.insertion(join)).run(pair.row.values(of: join))
            guard pair.isOwn else { continue }
            let other = ends.source == owner ? ends.target : ends.source
            try note(
                PendingPair(
                    join: join, pair: ends, inserter: inserter.number, owner: owner, other: other,
                    location: location), note: [])
        }
    }

    // MARK: At the end

    /// Returns the dangling join rows of an inserter, or, if `other` is not `nil`, its join rows with that other end.
    func found(_ inserter: SQLPairInserter, to other: Int64? = nil) throws -> [Found] {
        guard !isEmpty else { return [] }
        if other != nil, !hasIndexOfOthers {
            try connection.execute(tables.indexOfOthers)
            hasIndexOfOthers = true
        }
        let sql = tables.selection(inserter.join, other == nil ? .missing(inserter.join) : .toOther)
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        try statement.bind([.integer(Int64(inserter.number))] + (other.map { [.integer($0)] } ?? []))
        var found: [Found] = []
        while try statement.step() {
            let row = statement.integers(10)
            found.append(
                Found(
                    number: row[0], location: RowLocation(source: Int(row[1]), line: Int(row[3]), record: Int(row[2])),
                    pair: JoinPair(source: row[4], target: row[5]), owner: row[6], isNew: row[7] != 0,
                    hasSource: row[8] != 0, hasTarget: row[9] != 0, note: try statement.bytes(at: 10)))
        }
        return found
    }

    /// Deletes one pending join row after it was checked.
    func forget(_ found: Found) throws { try connection.run(tables.deletion, .integer(found.number)) }

    /// Deletes the dangling join rows that the input has as separate records, or that the insert options drop.
    ///
    /// If the insert options reject owners because of dangling join rows, the owners were rejected before. The method
    /// then only deletes their pending join rows.
    func rejectDangling(_ inserter: SQLPairInserter) throws {
        let join = inserter.join
        let isDropped = inserter.options.onMissingReference == .null
        for found in try found(inserter) {
            try forget(found)
            let isOwnerThere = found.owner == found.pair.source ? found.hasSource : found.hasTarget
            if inserter.owners != nil, !isDropped || !isOwnerThere { continue }
            try connection.run(layout.deletion(join), .integer(found.pair.source), .integer(found.pair.target))
            if inserter.owners == nil {
                if found.isNew { inserter.counts.inserted -= 1 } else { inserter.counts.updated -= 1 }
            }
            guard !isDropped else {
                inserter.counts.droppedPairs += 1
                continue
            }
            try inserter.options.refuse(
                .dangling(join, found.pair, isTargetMissing: found.hasSource), at: found.location, note: found.note,
                counts: &inserter.counts)
        }
    }

    /// Throws an error for the first dangling join row, if there is one.
    func check() throws {
        guard !isEmpty else { return }
        for join in layout.model.joins {
            for isTargetMissing in [false, true] {
                let statement = try connection.statement(tables.firstMissing(join, isTarget: isTargetMissing))
                defer { statement.reset() }
                try statement.bind([.string(join.name)])
                guard try statement.step() else { continue }
                let row = statement.integers(5)
                var error = PersistenceError.dangling(
                    join, JoinPair(source: row[3], target: row[4]), isTargetMissing: isTargetMissing)
                error.location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
                throw error
            }
        }
    }

    /// Deletes all pending join rows, so that they are not checked again.
    func removeAll() throws {
        if !isEmpty { try connection.execute(tables.removal) }
        if keepsPairs { try connection.execute(tables.removalOfKept) }
        (isEmpty, hasIndexOfOthers, keepsPairs) = (true, false, false)
    }
}
