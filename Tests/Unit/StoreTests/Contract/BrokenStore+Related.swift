import StrataPersistence
import StrataStoreKit

extension BrokenStore {
    /// Returns a Boolean value that indicates whether a row matches a condition on related objects that the fault
    /// changed.
    func matchesRelated(_ row: StoredRow, _ condition: FetchCondition, _ entity: String) throws -> Bool {
        if fault == .followsOneWay, case .related("friends", let inner) = condition {
            let friends = try base.joins(JoinRequest("Person_friends", ids: [row.id])).map(\.pair.target)
            let found = try base.rows(StoreRequest("Person", where: inner)).map(\.id)
            return friends.contains { $0 > row.id && found.contains($0) }
        }
        if fault == .failsForStrangers, case .related("owner", let inner) = condition {
            _ = try base.count(StoreRequest("Owner", where: inner))
        }
        if fault == .pathsFailForStrangers, case .all(let parts) = condition {
            for part in parts { _ = try base.count(StoreRequest(entity, where: part)) }
        }
        let request = StoreRequest(entity, where: condition.broken(by: fault))
        return try base.rows(request).contains { $0.id == row.id }
    }
}

extension FetchCondition {
    /// Returns the condition as a store with the fault understands it.
    fileprivate func broken(by fault: BrokenStore.Fault) -> FetchCondition {
        switch (self, fault) {
        case (.related("department", let inner), .nullLeadsSomewhere):
            return .related("department", inner) || .compare(.property("department"), .equal, .constant(.null))
        case (.related(let name, let inner), .oneIsNotEnough): return .not(.related(name, .not(inner)))
        case (.not(.related(let name, let inner)), .negatesInside): return .related(name, .not(inner))
        case (.related("passport", _), .forgetsStoredSide): return .constant(false)
        case (.related(let name, _), .followsAnyPair): return .related(name, .constant(true))
        case (.related("parent", let inner), .confusesLevels): return inner.broken(by: fault)
        case (.related(let name, let inner), .ignoresNesting) where inner.traversesRelationships:
            return .related(name, .constant(true))
        case (.compare(.relatedCount(let name, _), let comparison, let right), .countsStrangers):
            return .compare(.relatedCount(name, .constant(true)), comparison, right)
        case (.compare(.related, let comparison, let right), .pathsAreNull):
            return .compare(.constant(.null), comparison, right)
        case (.not(let condition), _): return .not(condition.broken(by: fault))
        case (.all(let conditions), _): return .all(conditions.map { $0.broken(by: fault) })
        default: return self
        }
    }
}
