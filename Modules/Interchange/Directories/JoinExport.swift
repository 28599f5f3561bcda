import StrataCore

/// The pairs of one many-to-many relationship.
struct JoinExport {
    private let join: JoinDescription
    private let options: ExportOptions

    init(_ join: JoinDescription, _ options: ExportOptions) {
        self.join = join
        self.options = options
    }

    func run(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        if join.linkTable != nil { return try KeyedJoinExport(join, options).run(snapshot, to: output) }
        let columns =
            ["source", "target"] + (join.isSourceOrdered ? ["sourcePosition"] : [])
            + (join.isTargetOrdered ? ["targetPosition"] : [])
        return options.format.isTable
            ? try write(TableEncoding(columns: columns, options), from: snapshot, to: output)
            : try write(JSONEncoding(columns: columns, options.layout), from: snapshot, to: output)
    }

    private func write<Encoding: RecordEncoding>(
        _ encoding: Encoding, from snapshot: any StoreSnapshot, to output: ByteOutput
    ) throws -> Int {
        var stream = RecordStream(output, encoding)
        try snapshot.joins(JoinRequest(join.name)) { row in
            // A symmetric pair is given from both ends.
            if join.isSymmetric, row.pair.target < row.pair.source { return .next }
            if stream.count % 1024 == 0, options.isCancelled() { throw CancellationError() }
            var values: [Int64?] = [row.pair.source, row.pair.target]
            if join.isSourceOrdered { values.append(row.sourcePosition) }
            if join.isTargetOrdered { values.append(row.targetPosition) }
            for value in values {
                stream.value { encoding, column, buffer in
                    value.map { encoding.integer($0, column: column, into: &buffer) } ?? encoding.null(column, &buffer)
                }
            }
            try stream.endRecord()
            return .next
        }
        try stream.finish()
        return stream.count
    }
}
