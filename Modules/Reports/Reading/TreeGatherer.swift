import StrataCore
import StrataStoreKit

/// A gatherer of the rows that a to-one relationship references most often, with some of their referencing rows.
///
/// The first pass counts the children of each parent. If the counts are exact, the parents to show are known, and the
/// second pass reads their children. Otherwise, the second pass counts the candidates exactly, and a query reads the
/// children of the chosen parents afterward.
final class TreeGatherer: ColumnGatherer {
    private let options: ReportOptions
    private let destination: EntityDescription
    /// The labels of the referencing rows.
    private let childLabel: RowLabel
    /// The parents with the counts of their children, perhaps without rare parents.
    private var parents: FrequentItems<Int64>
    private var count = 0
    /// The candidates for shown parents, whose children are counted again if parents were dropped in the first pass.
    private var candidates: [Int64: Int] = [:]
    /// The shown parents, each with the count and the labels of its children.
    private var followed: [Int64: (count: Int, children: [String])] = [:]
    /// The labels of the first rows without a parent.
    private var orphans: [String] = []

    init(_ options: ReportOptions, entity: EntityDescription, destination: EntityDescription) {
        self.options = options
        parents = FrequentItems(capacity: options.exactParents) { StableHash.mixed(UInt64(bitPattern: $0)) }
        self.destination = destination
        childLabel = RowLabel(entity)
    }

    func look(at value: StoredValue) {
        guard case .integer(let parent) = value else { return }
        count += 1
        parents.add(parent)
    }

    func prepareSecondReading() -> Bool {
        guard parents.isExact else {
            // Each candidate may be one of the shown parents, because its count may be too low. Therefore the parents
            // whose children are shown are not known yet.
            candidates = parents.counts.mapValues { _ in 0 }
            return true
        }
        for parent in parents.top(options.parents, <) { followed[parent.item] = (0, []) }
        return true
    }

    func count(_ value: StoredValue, in row: RowReader) throws {
        guard case .integer(let parent) = value else {
            if value.isNull, orphans.count < options.children { orphans.append(try childLabel.text(of: row)) }
            return
        }
        if let index = candidates.index(forKey: parent) { candidates.values[index] += 1 }
        try follow(parent, in: row)
    }

    /// Counts a child of a shown parent.
    private func follow(_ parent: Int64, in row: RowReader) throws {
        guard let index = followed.index(forKey: parent) else { return }
        followed.values[index].count += 1
        if followed.values[index].children.count < options.children {
            followed.values[index].children.append(try childLabel.text(of: row))
        }
    }

    /// Chooses the candidates with the most children, which are now counted exactly, and reads their children.
    private func followCandidates(_ reading: ColumnReading) throws {
        let most = candidates.filter { $0.value > parents.error }.sorted { left, right in
            left.value == right.value ? left.key < right.key : left.value > right.value
        }.prefix(options.parents)
        candidates = [:]
        guard !most.isEmpty, let column = reading.entity.columnIndex(reading.column) else { return }
        for parent in most { followed[parent.key] = (0, []) }
        let condition = FetchCondition.isIn(.property(reading.column), most.map { .integer($0.key) })
        try reading.rows(StoreRequest(reading.entity.name, where: condition)) { row in
            if case .integer(let parent) = try row.value(at: column) { try follow(parent, in: row) }
        }
    }

    func figure(_ reading: ColumnReading) throws -> ColumnFigure {
        let allParents = try reading.snapshot.count(StoreRequest(destination.name))
        guard count + reading.nullCount > 0 else { return .none }
        try followCandidates(reading)
        let top = followed.sorted { left, right in
            left.value.count == right.value.count ? left.key < right.key : left.value.count > right.value.count
        }.prefix(options.parents)
        let labels = try labels(of: top.map(\.key), reading)
        return .tree(
            TreeSummary(
                parentEntity: destination.name, childEntity: reading.entity.name, allParents: allParents,
                parentsWithChildren: min(parents.distinctCount, allParents), isExact: parents.isExact,
                leastListed: parents.error,
                top: top.map { id, entry in
                    TreeSummary.Parent(
                        id: id, label: labels[id] ?? RowLabel.number(id, of: destination.name), count: entry.count,
                        children: entry.children)
                }, childCount: count, orphanCount: reading.nullCount, orphans: orphans))
    }

    /// Returns the labels of parents by their identifiers; a parent that does not exist has no label.
    private func labels(of ids: [Int64], _ reading: ColumnReading) throws -> [Int64: String] {
        let label = RowLabel(destination)
        var labels: [Int64: String] = [:]
        let condition = FetchCondition.isIn(.property("id"), ids.map(StoredValue.integer))
        try reading.rows(StoreRequest(destination.name, where: condition)) { row in
            labels[row.rawID] = try label.text(of: row)
        }
        return labels
    }
}
