import StrataCore
import StrataStoreKit

/// The export of the join rows of a many-to-many relationship whose file identifies rows by keys, in columns with any
/// names.
///
/// The identifiers of all rows with join rows are in memory. Everything else is read block by block.
struct KeyedJoinExport {
    private let join: JoinDescription
    private let options: ExportOptions
    /// The counts of a workbook if the join rows are written to one of its sheets.
    private let sheet: SheetEncoding.Counts?

    init(_ join: JoinDescription, _ options: ExportOptions, sheet: SheetEncoding.Counts?) {
        (self.join, self.options, self.sheet) = (join, options, sheet)
    }

    /// Writes the join rows of a snapshot, and returns their number.
    ///
    /// - Throws: ``InterchangeError/Code/invalidValue`` if an end has no key, the errors of reading and writing,
    ///   `CancellationError`.
    func run(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        let entity = EntityDescription(pairsOf: join)
        let columns = try ResolvedColumn.all(of: entity, in: snapshot.model)
        let names = columns.map(\.name)
        let related = try RelatedValues(columns, of: entity, in: snapshot)
        if let sheet {
            return try write(SheetEncoding(columns: columns, sheet), related, entity, from: snapshot, to: output)
        }
        return options.format.isTable
            ? try write(TableEncoding(columns: names, options), related, entity, from: snapshot, to: output)
            : try write(JSONEncoding(columns: names, options.layout), related, entity, from: snapshot, to: output)
    }

    private func write<Encoding: RecordEncoding>(
        _ encoding: Encoding, _ related: RelatedValues, _ entity: EntityDescription, from snapshot: any StoreSnapshot,
        to output: ByteOutput
    ) throws -> Int {
        var stream = RecordStream(output, encoding)
        // A snapshot cannot run another query while it returns rows. So the owners of join rows are collected first,
        // and then the join rows are fetched block by block.
        let ownerEntity = try snapshot.model.entity(
            named: join.isLinkOfSource || join.isSymmetric ? join.sourceEntity : join.targetEntity)
        let owners = try owners(in: snapshot, inOrderOf: ownerEntity)
        let areOwnersOrdered = ownerEntity.keepsOrder
        var count: Int64 = 0
        for block in Self.blocks(of: owners) {
            var rows: [StoredRow] = []
            var pairs: [JoinRow] = []
            try forEachPair(in: snapshot, of: block.sorted()) { pairs.append($0) }
            if areOwnersOrdered {
                let ofOwner = Dictionary(grouping: pairs, by: owner)
                pairs = block.flatMap { ofOwner[$0] ?? [] }
            }
            for row in pairs {
                count += 1
                rows.append(StoredRow(id: count, version: 1, values: values(of: row, entity)))
            }
            for block in Self.blocks(of: rows) { try write(Array(block), related, to: &stream) }
        }
        try stream.finish()
        return stream.count
    }

    private static func blocks<Element>(of elements: [Element]) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: elements.count, by: RelatedValues.blockSize).lazy.map {
            elements[$0..<min($0 + RelatedValues.blockSize, elements.count)]
        }
    }

    /// Returns the identifier of the row by which the join rows are grouped.
    private func owner(_ row: JoinRow) -> Int64 {
        join.isLinkOfSource || join.isSymmetric ? row.pair.source : row.pair.target
    }

    /// Returns the identifiers of the rows that have join rows, in the order in which an entity's rows are written to
    /// files.
    private func owners(in snapshot: any StoreSnapshot, inOrderOf entity: EntityDescription) throws -> [Int64] {
        var owners: [Int64] = []
        try forEachPair(in: snapshot, of: nil) { row in
            if owners.last != owner(row) { owners.append(owner(row)) }
        }
        guard entity.keepsOrder else { return owners }
        let known = Set(owners)
        owners = []
        try snapshot.fetch(StoreRequest(entity.name).inOrderOfFiles(entity)) { row in
            if known.contains(row.rawID) { owners.append(row.rawID) }
            return .next
        }
        return owners
    }

    /// Calls a closure with the join rows of some owners, or of all owners, grouped by owner.
    ///
    /// The join rows of an owner are in the order of its list.
    private func forEachPair(
        in snapshot: any StoreSnapshot, of owners: [Int64]?, _ body: (JoinRow) -> Void
    ) throws {
        try snapshot.joins(JoinRequest(join.name, of: join.isLinkOfSource ? .source : .target, ids: owners)) { row in
            // The snapshot returns a symmetric join row from both ends.
            if !join.isSymmetric || row.pair.target >= row.pair.source { body(row) }
            return .next
        }
    }

    private func values(of row: JoinRow, _ entity: EntityDescription) -> [StoredValue] {
        entity.columns.map { column in
            switch column.name {
            case "source": .integer(row.pair.source)
            case "target": .integer(row.pair.target)
            case "sourcePosition": row.sourcePosition.map(StoredValue.integer) ?? .null
            default: row.targetPosition.map(StoredValue.integer) ?? .null
            }
        }
    }

    private func write<Encoding: RecordEncoding>(
        _ rows: [StoredRow], _ related: RelatedValues, to stream: inout RecordStream<Encoding>
    ) throws {
        if options.isCancelled() { throw CancellationError() }
        for values in try related.values(of: rows) {
            for value in values {
                try stream.value { encoding, column, buffer throws(InvalidText) in
                    try encoding.append(value, column: column, into: &buffer)
                }
            }
            try stream.endRecord()
        }
    }
}
