import StrataCore

/// What other contexts saved since the last merge, joined into one notice.
struct MergeNotice: Sendable {
    /// The objects of an entity that were touched.
    enum Touched {
        case nothing
        case some(Set<Int64>)
        case everything
    }

    /// Beyond this many identifiers a notice says “everything”: a context whose queue never runs must not grow.
    private static let maximumCount = 10_000

    private var ids: [String: Set<Int64>] = [:]
    private var isEverything = false

    init() {}

    /// What a save wrote.
    ///
    /// - Parameters:
    ///   - changes: What the save returned.
    ///   - toChildren: Whether it is told to the saving context's children, who may have new objects too.
    init(_ changes: SavedChanges, toChildren: Bool = false) {
        for part in [changes.updated, changes.deleted] + (toChildren ? [changes.inserted] : []) {
            for (entity, touched) in part { ids[entity, default: []].formUnion(touched) }
        }
        shorten()
    }

    mutating func add(_ other: MergeNotice) {
        isEverything = isEverything || other.isEverything
        ids.merge(other.ids) { $0.union($1) }
        shorten()
    }

    private mutating func shorten() {
        if isEverything || ids.values.reduce(0, { $0 + $1.count }) > Self.maximumCount {
            isEverything = true
            ids = [:]
        }
    }

    func touched(_ entity: String) -> Touched {
        if isEverything { return .everything }
        return ids[entity].map(Touched.some) ?? .nothing
    }
}
