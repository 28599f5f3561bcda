import StrataCore
import StrataStoreKit

/// The maintenance of the positions of objects in ordered relationships.
///
/// A position is a sort key: an integer, where greater keys are later in the order. Between the sort keys of two
/// neighbors, there is usually an unused key, so that an insertion changes only the inserted object. If there is none,
/// all objects of the relationship receive new sort keys.
extension RelationshipEditor {
    /// The distance between the new sort keys of two neighbors.
    ///
    /// At least ten objects can be inserted between two neighbors, even if each is inserted at the worst position.
    static let stride: Int64 = 1024

    /// Inserts an object into a to-many relationship at an index, or at the end if the index is `nil`.
    func insert(_ object: ManagedObject, at index: Int?, in name: String, of owner: ManagedObject) throws {
        registry.require(owner)
        registry.require(object)
        try requirePresent([object, owner])
        let (relationship, _, place) = try registry.model.relationship(name, of: owner.ownership.entity)
        try reader.require(object, endOf: relationship, of: owner)
        switch place {
        case .ownColumn: return
        case .inverseColumn(let column):
            guard let attribute = relationship.orderingAttribute,
                let sortKey = object.ownership.entity.columnIndex(attribute)
            else { return try object.typed.write(.integer(owner.rawID), column: column) }
            let reference = OrderedReference(column: column, sortKey: sortKey)
            let exists = object.reference(at: column) == owner.rawID
            let next = index == nil && !exists ? try nextSortKey(reference, of: owner.rawID, without: object) : nil
            // The position refers to the objects that remain after the delete rules; a deleted object gets no position.
            if next == nil { try propagator.prepareToRead() }
            try requirePresent([object, owner])
            try object.typed.write(.integer(owner.rawID), column: column)
            if let next { return try object.typed.write(.integer(next), column: sortKey) }
            let others = try reader.relatedObjects(of: [owner], relationship, place)[owner.rawID] ?? []
            try orderObjects(others.filter { $0 !== object }, object, at: index, column: sortKey)
        case .join(let join, let isSource):
            try propagator.prepareToRead()
            try requirePresent([object, owner])
            try insertPair(of: join, owner: owner.rawID, other: object.rawID, at: index, ownerIsSource: isSource)
        }
    }

    /// Adds all objects of an ordered relationship after its existing objects, in the order of the array.
    ///
    /// The effect is equal to single additions, but the method reads the relationship only once.
    ///
    /// - Returns: `false`, without any change, if single additions are necessary: the inverse relationship is ordered
    ///   too, or the sort keys after the existing ones are used up.
    func setAll(
        _ objects: [ManagedObject], relationship: RelationshipDescription, place: RelationshipStorage,
        of owner: ManagedObject
    ) throws -> Bool {
        var seen: Set<Int64> = []
        // An object that occurs twice gets the later position.
        let objects = Array(objects.reversed().filter { seen.insert($0.rawID).inserted }.reversed())
        switch place {
        case .ownColumn: return false
        case .inverseColumn(let column):
            guard let attribute = relationship.orderingAttribute, let first = objects.first,
                let sortKey = first.ownership.entity.columnIndex(attribute)
            else { return false }
            let others = try reader.relatedObjects(of: [owner], relationship, place)[owner.rawID] ?? []
            guard let sortKeys = Self.sortKeys(of: objects.count, behind: others.map { $0.typed.value(at: sortKey) })
            else {
                return false
            }
            for (object, value) in zip(objects, sortKeys) {
                try object.typed.write(.integer(owner.rawID), column: column)
                try object.typed.write(.integer(value), column: sortKey)
            }
        case .join(let join, let isSource):
            guard !(isSource ? join.isTargetOrdered : join.isSourceOrdered) else { return false }
            let others = try reader.pairs(of: join, ownerIsSource: isSource, [owner.rawID])
            let known = others.map { $0.position.map(StoredValue.integer) ?? .null }
            guard let sortKeys = Self.sortKeys(of: objects.count, behind: known) else { return false }
            for (object, value) in zip(objects, sortKeys) {
                var row = JoinRow(JoinPair(owner.rawID, object.rawID, ownerIsSource: isSource))
                Self.setSortKey(value, &row, ownerIsSource: isSource)
                addPair(row, to: join)
            }
        }
        return true
    }

    /// Returns sort keys that are greater than all others, or `nil` if there are not enough.
    private static func sortKeys(of count: Int, behind others: [StoredValue]) -> [Int64]? {
        var last: Int64 = 0
        for case .integer(let sortKey) in others { last = max(last, sortKey) }
        let (width, isTooWide) = stride.multipliedReportingOverflow(by: Int64(count))
        guard !isTooWide, !last.addingReportingOverflow(width).overflow else { return nil }
        return (0..<count).map { last + stride * Int64($0 + 1) }
    }

    /// Adds a join row with its positions on both sides.
    ///
    /// On the owner's side, the join row has the requested index. On the other side, it keeps its old position, or is
    /// last if it is new.
    func insertPair(
        of join: JoinDescription, owner: Int64, other: Int64, at index: Int?, ownerIsSource: Bool
    ) throws {
        var row = JoinRow(JoinPair(owner, other, ownerIsSource: ownerIsSource))
        let isOrdered = ownerIsSource ? join.isSourceOrdered : join.isTargetOrdered
        if isOrdered {
            let pairs = try reader.pairs(of: join, ownerIsSource: ownerIsSource, [owner])
            try orderPairs(
                pairs.filter { $0.other != other }, row: &row, at: index, of: join, ownerIsSource: ownerIsSource)
        }
        if ownerIsSource ? join.isTargetOrdered : join.isSourceOrdered {
            let pairs = try reader.pairs(of: join, ownerIsSource: !ownerIsSource, [other])
            if let known = pairs.first(where: { $0.other == owner }) {
                // The row exists already, and can keep its position on the other side too.
                if !isOrdered { return }
                Self.setSortKey(known.position, &row, ownerIsSource: !ownerIsSource)
            } else {
                try orderPairs(pairs, row: &row, at: nil, of: join, ownerIsSource: !ownerIsSource)
            }
        }
        addPair(row, to: join)
    }

    private static func setSortKey(_ sortKey: Int64?, _ row: inout JoinRow, ownerIsSource: Bool) {
        if ownerIsSource { row.sourcePosition = sortKey } else { row.targetPosition = sortKey }
    }

    private func orderObjects(
        _ others: [ManagedObject], _ object: ManagedObject, at index: Int?, column: Int
    ) throws {
        func sortKey(_ object: ManagedObject) -> Int64? {
            if case .integer(let sortKey) = object.typed.currentRow().values[column] { sortKey } else { nil }
        }
        let place = min(index ?? others.count, others.count)
        if let sortKey = Self.sortKey(at: place, among: others.map(sortKey)) {
            try object.typed.write(.integer(sortKey), column: column)
            return
        }
        var all = others
        all.insert(object, at: place)
        for (index, object) in all.enumerated() {
            try object.typed.write(.integer(Int64(index + 1) * Self.stride), column: column)
        }
    }

    private func orderPairs(
        _ others: [RelatedPair], row: inout JoinRow, at index: Int?, of join: JoinDescription, ownerIsSource: Bool
    ) throws {
        let place = min(index ?? others.count, others.count)
        if let sortKey = Self.sortKey(at: place, among: others.map(\.position)) {
            Self.setSortKey(sortKey, &row, ownerIsSource: ownerIsSource)
            return
        }
        for (index, pair) in others.enumerated() {
            var other = JoinRow(JoinPair(pair.owner, pair.other, ownerIsSource: ownerIsSource))
            Self.setSortKey(pair.otherPosition, &other, ownerIsSource: !ownerIsSource)
            let sortKey = Int64(index < place ? index + 1 : index + 2) * Self.stride
            Self.setSortKey(sortKey, &other, ownerIsSource: ownerIsSource)
            addPair(other, to: join)
        }
        Self.setSortKey(Int64(place + 1) * Self.stride, &row, ownerIsSource: ownerIsSource)
    }

    /// Returns an unused sort key between those of the neighbors at an index, or `nil` if there is none.
    private static func sortKey(at place: Int, among sortKeys: [Int64?]) -> Int64? {
        let before = place > 0 ? sortKeys[place - 1] : 0
        guard let before else {
            // An object without a sort key comes first, so the next one gets the first sort key.
            return place == sortKeys.count ? stride : nil
        }
        guard place < sortKeys.count else {
            let (sortKey, overflow) = before.addingReportingOverflow(stride)
            return overflow ? nil : sortKey
        }
        guard let after = sortKeys[place] else { return nil }
        if place == 0 {
            let (sortKey, overflow) = after.subtractingReportingOverflow(stride)
            return overflow ? nil : sortKey
        }
        let (distance, overflow) = after.subtractingReportingOverflow(before)
        return !overflow && distance > 1 ? before + distance / 2 : nil
    }

    // MARK: Last positions

    /// Returns a sort key after all objects of an owner's ordered relationship, or `nil` if there is no greater key.
    ///
    /// The method executes one statement when a closure of the context calls it for an owner for the first time, and
    /// none later.
    func nextSortKey(
        _ reference: OrderedReference, of owner: Int64, without object: ManagedObject
    ) throws -> Int64? {
        let key = OrderedEnds.Key(entity: object.entityName, column: reference.column, owner: owner)
        let known: Int64?
        if let end = readAhead.end(of: key) {
            known = end
        } else {
            known = try greatestSortKey(reference, of: owner, without: object)
            readAhead.know(end: known, of: key)
        }
        guard let known else { return Self.stride }
        let (next, overflow) = known.addingReportingOverflow(Self.stride)
        return overflow ? nil : next
    }

    private func greatestSortKey(
        _ reference: OrderedReference, of owner: Int64, without object: ManagedObject
    ) throws -> Int64? {
        try propagator.prepareToRead()
        let entity = object.ownership.entity
        var request = StoreRequest(
            entity.name,
            where: .compare(.property(entity.columns[reference.column].name), .equal, .constant(.integer(owner))))
        let sortKey = entity.columns[reference.sortKey].name
        // This is the reverse order of an index over both columns, so that only the first row is read.
        request.sort = [.init(sortKey, descending: true), .init("id", descending: true)]
        request.limit = 1
        var greatest: Int64?
        func look(_ value: StoredValue) {
            if case .integer(let sortKey) = value { greatest = max(greatest ?? sortKey, sortKey) }
        }
        if let parent = reader.parent {
            for other in try parent.fetchObjects(request) { look(other.typed.value(at: reference.sortKey)) }
        } else {
            // A row that this context changed may no longer be the last one; that leaves a harmless gap.
            try reader.source.fetch(request) { row in
                look(try row.value(at: reference.sortKey))
                return .next
            }
        }
        for other in try registry.identityMap(entity.name).current
        where other !== object && other.reference(at: reference.column) == owner {
            look(other.typed.value(at: reference.sortKey))
        }
        return greatest
    }
}
