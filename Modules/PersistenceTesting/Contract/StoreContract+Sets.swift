import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of set-based changes, which are skipped if a store does not support them.
    ///
    /// A store supports set-based changes if its transactions conform to `SetBasedTransaction`. Such a store must:
    ///
    /// - raise the version of a row only if the update changes one of its values, and return the identifiers of these
    ///   rows
    /// - reject an update or deletion that breaks uniqueness or a reference, and change nothing
    /// - delete the join rows of deleted rows, also if the condition of the deletion reads these join rows
    static var sets: [Check] {
        [
            Check("a set-based update raises only the versions of rows whose values it changes") { probe in
                try probe.insert(
                    "Owner", (1...4).map { ($0, ["rank": .integer($0), "code": .string("c\($0)")]) })
                let ids = try probe.changingBySets {
                    try $0.update(try probe.setting("Owner", "rank", to: .integer(3)))
                }
                guard let ids else { return }
                probe.expectEqual(ids, [1, 2, 4], "the rows that changed")
                let rows = try probe.store.rows(StoreRequest("Owner"))
                probe.expectEqual(rows.map(\.version), [2, 2, 1, 2], "the versions")
                probe.expectEqual(rows.map { $0.values[1] }, (1...4).map { _ in .integer(3) }, "the values")
                let isFirst = FetchCondition.compare(.property("id"), .equal, .constant(.integer(1)))
                let one = try probe.changingBySets {
                    try $0.update(try probe.setting("Owner", "code", to: .null, where: isFirst))
                }
                probe.expectEqual(one, [1], "the row that a condition selects")
                probe.expectEqual(try probe.value("Owner", id: 2, "code"), .string("c2"), "a row that it does not")
            },
            Check("a set-based change that breaks uniqueness or a reference is rejected and changes nothing") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a")]), (2, ["code": .string("b")])])
                try probe.insert("Part", [(1, ["owner": .integer(1)]), (2, [:])])
                if try probe.changingBySets({ try $0.update(try probe.setting("Owner", "rank", to: .integer(1))) })
                    == nil
                {
                    return
                }
                probe.expectError(.uniqueness, "a taken value") {
                    _ = try probe.changingBySets { try $0.update(try probe.setting("Owner", "code", to: .string("c"))) }
                }
                probe.expectError(.danglingReference, "a dangling reference") {
                    _ = try probe.changingBySets { try $0.update(try probe.setting("Part", "owner", to: .integer(9))) }
                }
                probe.expectError(.danglingReference, "a row that is referred to") {
                    _ = try probe.changingBySets {
                        try $0.delete(try probe.store.model.entity(named: "Owner"), where: nil)
                    }
                }
                probe.expectEqual(try probe.ids("Owner"), [1, 2], "the rows")
                probe.expectEqual(try probe.value("Part", id: 2, "owner"), .null, "the reference")
            },
            Check("a set-based deletion deletes the join rows of the deleted rows") { probe in
                try probe.insert("Article", ids: 1...3)
                try probe.insert("Tag", ids: 1...2)
                try probe.save(probe.linking("Article_tags", adding: [(1, 1), (2, 1), (2, 2), (3, 2)]))
                // The join rows determine which rows are deleted.
                let isTagged = FetchCondition.related(
                    "tags", .compare(.property("id"), .equal, .constant(.integer(1))))
                let ids = try probe.changingBySets { transaction in
                    let request = try StoreRequest("Article", where: isTagged).resolved(in: probe.store.model)
                    return try transaction.delete(request.entity, where: request.condition)
                }
                guard let ids else { return }
                probe.expectEqual(ids, [1, 2], "the deleted rows")
                probe.expectEqual(try probe.ids("Article"), [3], "the rows that are left")
                probe.expectEqual(try probe.pairs("Article_tags"), ["3-2"], "the pairs")
            },
        ]
    }
}

extension ContractProbe {
    /// Changes rows in a transaction, and returns `nil` if the store does not support set-based changes.
    fileprivate func changingBySets(_ body: (any SetBasedTransaction) throws -> [Int64]) throws -> [Int64]? {
        var ids: [Int64]?
        try store.transaction { transaction in
            guard let transaction = transaction as? any SetBasedTransaction else { return .rollBack }
            ids = try body(transaction)
            return .commit
        }
        return ids
    }

    /// Returns an update of one property for the rows that a condition selects.
    fileprivate func setting(
        _ entity: String, _ property: String, to value: StoredValue, where condition: FetchCondition? = nil
    ) throws -> ResolvedUpdate {
        let request = try StoreRequest(entity, where: condition).resolved(in: store.model)
        return ResolvedUpdate(
            entity: request.entity, condition: request.condition,
            assignments: [.init(column: request.entity.columnIndex(property) ?? 0, value: .constant(value))])
    }
}
