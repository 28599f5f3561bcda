import StrataCore

/// What other contexts saved since the last merge, joined into one notice.
struct MergeNotice: Sendable {
    private var touched: [String: ChangedIdentifiers] = [:]
    /// Beyond so many identifiers in all, a notice says “everything”: a context whose queue never runs must not grow.
    private var isEverything = false

    init() {}

    /// What a change touched that others may have read.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - toChildren: Whether it is told to the saving context's children, who may have new objects too.
    init(_ change: StoreChange, toChildren: Bool = false) {
        for (entity, change) in change.entities {
            for ids in [change.updated, change.deleted] + (toChildren ? [change.inserted] : []) where !ids.isEmpty {
                touched[entity, default: .none].formUnion(ids)
            }
        }
        shorten()
    }

    /// Whether there is nothing to read again.
    var isEmpty: Bool { !isEverything && touched.isEmpty }

    mutating func add(_ other: MergeNotice) {
        isEverything = isEverything || other.isEverything
        for (entity, ids) in other.touched { touched[entity, default: .none].formUnion(ids) }
        shorten()
    }

    private mutating func shorten() {
        let count = touched.values.reduce(0) { if case .some(let ids) = $1 { $0 + ids.count } else { $0 } }
        guard isEverything || count > ChangedIdentifiers.maximumCount else { return }
        isEverything = true
        touched = [:]
    }

    /// The objects of an entity that were touched.
    func touched(_ entity: String) -> ChangedIdentifiers {
        isEverything ? .everything : touched[entity] ?? .none
    }
}
