import StrataCore
import StrataStoreKit

/// The changes that other contexts saved since the last merge, combined into one notice.
///
/// A notice has no values: the receiving context reads the rows again for those objects that it has. Inserted rows are
/// omitted, because no receiver can have their objects, except for the children of the saving context.
struct MergeNotice: Sendable {
    private var touched: [String: ChangedIdentifiers] = [:]
    /// A Boolean value that indicates whether all objects of all entities count as changed.
    ///
    /// It becomes `true` if the notice exceeds a maximum number of identifiers. Otherwise the notice for a context
    /// whose queue never runs would grow without limit.
    private var isEverything = false

    init() {}

    /// Creates a notice with the objects of a change that a receiving context may have read.
    ///
    /// - Parameters:
    ///   - change: The change to merge.
    ///   - toChildren: A Boolean value that indicates whether the receivers are children of the saving context, which
    ///     may also have read its new objects.
    init(_ change: StoreChange, toChildren: Bool = false) {
        for (entity, change) in change.entities {
            for ids in [change.updated, change.deleted] + (toChildren ? [change.inserted] : []) where !ids.isEmpty {
                touched[entity, default: .none].formUnion(ids)
            }
        }
        shorten()
    }

    /// A Boolean value that indicates whether a receiving context need not read any object again.
    var isEmpty: Bool { !isEverything && touched.isEmpty }

    /// Adds the changes of a later notice.
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

    /// Returns the identifiers of the changed objects of an entity.
    func touched(_ entity: String) -> ChangedIdentifiers {
        isEverything ? .everything : touched[entity] ?? .none
    }
}
