import StrataCore

/// The pairs of a many-to-many relationship whose dataset somebody described: by keys, in columns of any names.
struct KeyedJoinExport {
    private let join: JoinDescription
    private let options: ExportOptions

    init(_ join: JoinDescription, _ options: ExportOptions) {
        self.join = join
        self.options = options
    }

    func run(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        let entity = EntityDescription(pairsOf: join)
        let columns = try ResolvedColumn.all(of: entity, in: snapshot.model)
        let names = columns.map(\.name)
        let related = try RelatedValues(columns, of: entity, in: snapshot)
        return options.format.isTable
            ? try write(TableEncoding(columns: names, options), related, entity, from: snapshot, to: output)
            : try write(JSONEncoding(columns: names, options.layout), related, entity, from: snapshot, to: output)
    }

    private func write<Encoding: RecordEncoding>(
        _ encoding: Encoding, _ related: RelatedValues, _ entity: EntityDescription, from snapshot: any StoreSnapshot,
        to output: ByteOutput
    ) throws -> Int {
        var stream = RecordStream(output, encoding)
        var rows: [StoredRow] = []
        // By the owners, each with its own in their order.
        try snapshot.joins(JoinRequest(join.name, of: join.isLinkOfSource ? .source : .target)) { row in
            // A symmetric pair is given from both ends.
            if join.isSymmetric, row.pair.target < row.pair.source { return .next }
            rows.append(StoredRow(id: Int64(rows.count) + 1, version: 1, values: values(of: row, entity)))
            if rows.count >= RelatedValues.blockSize {
                try write(rows, related, to: &stream)
                rows = []
            }
            return .next
        }
        try write(rows, related, to: &stream)
        try stream.finish()
        return stream.count
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
