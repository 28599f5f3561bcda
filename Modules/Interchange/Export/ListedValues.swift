import StrataCore
import StrataStoreKit

/// A reader of the texts in a column that lists the targets of a many-to-many relationship.
///
/// One query reads the join rows of a block of rows, and others read the keys of the targets. The order of a list is
/// that of the join rows.
final class ListedValues {
    private let listed: ListedPairs
    private let snapshot: any StoreSnapshot
    private let rows: RememberedRows
    /// A reader of the key values that identify targets in the list; `nil` if identifiers are listed.
    private let names: RelatedValues?

    private let isArray: Bool

    init(_ listed: ListedPairs, in snapshot: any StoreSnapshot, isArray: Bool) throws {
        self.listed = listed
        self.isArray = isArray
        self.snapshot = snapshot
        rows = RememberedRows(snapshot)
        let model = snapshot.model
        names = try listed.key.flatMap { key in
            guard let path = key.values.first?.path.joined(separator: ".") else { return nil }
            let columns = try ResolvedColumn.resolve([ExportColumn(path)], key.entity, in: model)
            return try RelatedValues(columns, of: key.entity, in: snapshot)
        }
    }

    /// Returns the texts for the rows that have targets, by the identifiers of the rows.
    ///
    /// - Throws: ``InterchangeError`` if the text of a target cannot be an element of a list.
    func texts(of owners: [Int64]) throws -> [Int64: String] {
        var others: [Int64: [Int64]] = [:]
        let request = JoinRequest(listed.join.name, of: listed.isSource ? .source : .target, ids: owners)
        try snapshot.joins(request) { row in
            // For a symmetric relationship, the owner is always the source.
            let isSource = listed.isSource || listed.join.isSymmetric
            let (owner, other) =
                isSource ? (row.pair.source, row.pair.target) : (row.pair.target, row.pair.source)
            others[owner, default: []].append(other)
            return .next
        }
        let elements = try elements(Set(others.values.joined()).sorted())
        return try others.reduce(into: [:]) { texts, owner in
            do throws(InvalidText) {
                let found = owner.value.compactMap { elements[$0] }
                texts[owner.key] =
                    isArray ? try ListText.array(found, listed) : try ListText.text(found, listed)
            } catch {
                throw InterchangeError(
                    .invalidValue, message: "\(listed.list.column) of the object \(owner.key): \(error.reason)")
            }
        }
    }

    private func elements(_ ids: [Int64]) throws -> [Int64: StoredValue] {
        guard let names else { return Dictionary(uniqueKeysWithValues: ids.map { ($0, .integer($0)) }) }
        var elements: [Int64: StoredValue] = [:]
        for start in stride(from: 0, to: ids.count, by: RelatedValues.blockSize) {
            let chunk = Array(ids[start..<min(start + RelatedValues.blockSize, ids.count)])
            let found = try rows.objects(withIDs: chunk, of: listed.destination)
            for (row, values) in zip(found, try names.values(of: found)) {
                guard let name = values.first, !name.isNull else {
                    throw InterchangeError(
                        .invalidValue,
                        message:
                            "\(listed.destination) \(row.id) has no value in \(listed.list.property ?? "id"), which "
                            + "identifies it in the lists of \(listed.list.column); set the value, or export other "
                            + "columns")
                }
                elements[row.id] = name
            }
        }
        return elements
    }
}
