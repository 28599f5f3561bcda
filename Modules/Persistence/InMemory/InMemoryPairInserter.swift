import StrataCore
import StrataStoreKit

/// An inserter of the join rows of one many-to-many relationship in a bulk write to an in-memory store.
final class InMemoryPairInserter: PairInserter {
    let join: JoinDescription
    /// The inserter of the rows whose list column contains the join rows, and whether these rows are the sources.
    let owners: (inserter: InMemoryRowInserter, isSource: Bool)?
    private(set) var counts = InsertCounts()
    /// A Boolean value that indicates whether the writer has ended, so that the inserter must not use it.
    var isOver = false

    private let options: InsertOptions
    private unowned let writer: InMemoryRowWriter
    private var written: [Written] = []
    /// The indexes of the join rows of an owner in ``written``.
    private var places: [Int64: [Int]] = [:]
    /// The join rows that owners had before their first update.
    private var kept: [Int64: [KeptPair]] = [:]

    private struct Written {
        let ends: JoinPair
        let isNew: Bool
        let owner: Int64
        let location: RowLocation
        let note: [UInt8]
        /// A Boolean value that indicates whether the join row was processed or replaced.
        var isDone = false
    }

    private struct KeptPair {
        let row: JoinRow
        /// A Boolean value that indicates whether the record that inserted the owner contained the join row.
        let isOwn: Bool
    }

    init(
        _ join: JoinDescription, _ options: InsertOptions, owners: (inserter: InMemoryRowInserter, isSource: Bool)?,
        writer: InMemoryRowWriter
    ) {
        self.join = join
        self.options = options
        self.owners = owners
        self.writer = writer
    }

    func insert(_ pair: JoinRowInput) throws {
        if isOver { throw PersistenceError.transactionIsOver }
        let ends = join.kept(pair.row.pair)
        var isNew = pair.isOwnerNew
        if writer.joins[join.name]?.contains(ends) != true {
            counts.inserted += 1
        } else if owners == nil {
            isNew = false
            guard try options.takesAgain(pair, of: join.name, counts: &counts) else { return }
        }
        writer.joins[join.name]?.add(pair.row)
        let owner = owners.map { $0.isSource ? pair.row.pair.source : pair.row.pair.target } ?? 0
        append(ends, isNew: isNew, owner: owner, pair.location, Array(pair.note))
    }

    /// Adds a join row without a conflict option, and records it for the check of references.
    func add(_ row: JoinRow, _ location: RowLocation) {
        writer.joins[join.name]?.add(row)
        append(join.kept(row.pair), isNew: true, owner: 0, location, [])
    }

    private func append(_ ends: JoinPair, isNew: Bool, owner: Int64, _ location: RowLocation, _ note: [UInt8]) {
        if owners != nil { places[owner, default: []].append(written.count) }
        written.append(Written(ends: ends, isNew: isNew, owner: owner, location: location, note: note))
    }

    // MARK: Original join rows

    /// Discards the recorded join rows of an owner that is about to get other ones.
    ///
    /// If the owner may be rejected at the end, its original join rows are retained so that they can be restored.
    func giveWay(_ owner: Int64, isSource: Bool) {
        guard let owners, owners.isSource == isSource || join.isSymmetric else { return }
        if kept[owner] == nil, owners.inserter.options.mayReject(owners.inserter.entity) {
            let own = Set((places[owner] ?? []).map { written[$0] }.filter(\.isNew).map(\.ends))
            kept[owner] = writer.joins[join.name]?.kept(of: owner, isSource: owners.isSource).map {
                KeptPair(row: $0, isOwn: own.contains($0.pair))
            }
        }
        for place in places.removeValue(forKey: owner) ?? [] { written[place].isDone = true }
    }

    /// Restores the retained join rows of an owner.
    ///
    /// A join row is omitted if its other end was deleted meanwhile, unless the owner's own record inserted it. Join
    /// rows that other records have inserted meanwhile remain. The join rows of the owner's own record are recorded
    /// again: if one is dangling now, it was dangling in that record too.
    func restore(_ owner: Int64, at location: RowLocation) {
        guard let owners, let pairs = kept[owner] else { return }
        for place in places.removeValue(forKey: owner) ?? [] { written[place].isDone = true }
        let others = writer.joins[join.name]?.kept(of: owner, isSource: owners.isSource).filter { row in
            let other = row.pair.source == owner ? row.pair.target : row.pair.source
            return writer.hasBrought(row.pair, of: join.name, other)
        }
        for side in [true, false] where side == owners.isSource || join.isSymmetric {
            writer.joins[join.name]?.removeAll(of: owner, isSource: side)
        }
        for row in others ?? [] { writer.joins[join.name]?.add(row) }
        for pair in pairs where pair.isOwn || isTargetMissing(pair.row.pair) == nil {
            writer.joins[join.name]?.add(pair.row)
            if pair.isOwn { append(pair.row.pair, isNew: true, owner: owner, location, []) }
        }
    }

    /// Returns a Boolean value that indicates whether the accepted list column of an owner contains a join row.
    func hasBrought(_ ends: JoinPair, _ owner: Int64) -> Bool {
        places[owner]?.contains { !written[$0].isDone && written[$0].ends == ends } ?? false
    }

    // MARK: At the end

    /// Discards the records of checked join rows.
    func forgetWritten() { (written, places, kept) = ([], [:], [:]) }

    /// Returns `true` if the target of a join row is missing, `false` if its source is, and `nil` if both exist.
    private func isTargetMissing(_ pair: JoinPair) -> Bool? {
        if !writer.exists(pair.source, join.sourceEntity) { return false }
        return writer.exists(pair.target, join.targetEntity) ? nil : true
    }

    /// Rejects rows with dangling join rows if the options request that; returns `true` if there were any.
    func rejectOwners() throws -> Bool {
        guard let owners, options.onMissingReference == .reject else { return false }
        var isChanged = false
        for index in written.indices where !written[index].isDone && isTargetMissing(written[index].ends) != nil {
            let pair = written[index]
            written[index].isDone = true
            let other = pair.ends.source == pair.owner ? pair.ends.target : pair.ends.source
            let ends =
                owners.isSource
                ? JoinPair(source: pair.owner, target: other) : JoinPair(source: other, target: pair.owner)
            let isTaken = try owners.inserter.rejectDangling(
                pair.owner, isNew: pair.isNew, .dangling(join, ends, isTargetMissing: owners.isSource),
                at: pair.location, note: pair.note)
            isChanged = isChanged || isTaken
        }
        return isChanged
    }

    /// Rejects or drops dangling join rows.
    ///
    /// If the options reject the owners of dangling join rows, those join rows were removed before.
    func rejectMissing() throws {
        guard options.onMissingReference != .error else { return }
        for index in written.indices where !written[index].isDone {
            let pair = written[index]
            guard let isTargetMissing = isTargetMissing(pair.ends) else { continue }
            written[index].isDone = true
            if let owners, !writer.exists(pair.owner, owners.inserter.entity.name) { continue }
            writer.joins[join.name]?.remove(pair.ends)
            if owners == nil { if pair.isNew { counts.inserted -= 1 } else { counts.updated -= 1 } }
            guard options.onMissingReference == .reject else {
                counts.droppedPairs += 1
                continue
            }
            try options.refuse(
                .dangling(join, pair.ends, isTargetMissing: isTargetMissing), at: pair.location, note: pair.note,
                counts: &counts)
        }
    }

    /// The first dangling join row, in the order of the input, that the options do not allow.
    var firstError: PersistenceError? {
        let missing = written.filter {
            !$0.isDone && writer.joins[join.name]?.contains($0.ends) == true && isTargetMissing($0.ends) != nil
        }
        guard let pair = missing.min(by: { $0.location < $1.location }),
            let isTargetMissing = isTargetMissing(pair.ends)
        else { return nil }
        var error = PersistenceError.dangling(join, pair.ends, isTargetMissing: isTargetMissing)
        error.location = pair.location
        return error
    }
}
