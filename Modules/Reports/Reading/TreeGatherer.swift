import Persistence

/// Gathers which rows a to-one relationship leads to most often, and some that lead to each.
final class TreeGatherer: ColumnGatherer {
    /// So many parents are counted exactly.
    static let exactParents = 1 << 16
    /// Where counts may be too low, more parents are followed than are shown, but no more than these.
    private static let mostFollowed = 4096

    private let options: ReportOptions
    private let destination: EntityDescription
    private let childLabel: RowLabel
    private var parents = FrequentItems<Int64>(capacity: exactParents) { Mixing.mixed(UInt64(bitPattern: $0)) }
    private var count = 0
    private var followed: [Int64: (count: Int, children: [String])] = [:]
    private var orphans: [String] = []

    init(_ options: ReportOptions, entity: EntityDescription, destination: EntityDescription) {
        self.options = options
        self.destination = destination
        childLabel = RowLabel(entity)
    }

    func look(at value: StoredValue) {
        guard case .integer(let parent) = value else { return }
        count += 1
        parents.add(parent)
    }

    func prepareSecondReading() -> Bool {
        let candidates = parents.top(Self.mostFollowed, <)
        let shown = candidates.prefix(options.parents)
        for parent in shown { followed[parent.item] = (0, []) }
        guard !parents.isExact, let least = shown.last?.count else { return true }
        // Whoever may have as many as the last of these, if its count is too low, may belong in its place.
        for parent in candidates where parent.count + parents.error >= least { followed[parent.item] = (0, []) }
        return true
    }

    func count(_ value: StoredValue, in row: RowReader) throws {
        guard case .integer(let parent) = value else {
            if value.isNull, orphans.count < options.children { orphans.append(try childLabel.text(of: row)) }
            return
        }
        guard let index = followed.index(forKey: parent) else { return }
        followed.values[index].count += 1
        if followed.values[index].children.count < options.children {
            followed.values[index].children.append(try childLabel.text(of: row))
        }
    }

    func figure(_ reading: ColumnReading) throws -> ColumnFigure {
        let allParents = try reading.snapshot.count(StoreRequest(destination.name))
        guard count + reading.nullCount > 0 else { return .none }
        let top = followed.filter { $0.value.count > parents.error }.sorted { left, right in
            left.value.count == right.value.count ? left.key < right.key : left.value.count > right.value.count
        }.prefix(options.parents)
        let labels = try labels(of: top.map(\.key), reading)
        return .tree(
            TreeSummary(
                parentEntity: destination.name, childEntity: reading.entity.name, allParents: allParents,
                parentsWithChildren: parents.distinctCount, isExact: parents.isExact, leastListed: parents.error,
                top: top.map { id, entry in
                    TreeSummary.Parent(
                        id: id, label: labels[id] ?? RowLabel.number(id, of: destination.name), count: entry.count,
                        children: entry.children)
                }, childCount: count, orphanCount: reading.nullCount, orphans: orphans))
    }

    private func labels(of ids: [Int64], _ reading: ColumnReading) throws -> [Int64: String] {
        let label = RowLabel(destination)
        var labels: [Int64: String] = [:]
        let condition = Condition.isIn(.property("id"), ids.map(StoredValue.integer))
        try reading.rows(StoreRequest(destination.name, where: condition)) { row in
            labels[row.rawID] = try label.text(of: row)
        }
        return labels
    }
}
