import StrataPersistence

/// The pairs of one many-to-many relationship.
struct LinkExport {
    private let link: LinkDescription
    private let options: ExportOptions

    init(_ link: LinkDescription, _ options: ExportOptions) {
        self.link = link
        self.options = options
    }

    func run(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        let columns =
            ["source", "target"] + (link.isSourceOrdered ? ["sourcePosition"] : [])
            + (link.isTargetOrdered ? ["targetPosition"] : [])
        return options.format.isTable
            ? try write(TableEncoding(columns: columns, options), from: snapshot, to: output)
            : try write(JSONEncoding(columns: columns, options.layout), from: snapshot, to: output)
    }

    private func write<Encoding: RecordEncoding>(
        _ encoding: Encoding, from snapshot: any StoreSnapshot, to output: ByteOutput
    ) throws -> Int {
        var stream = RecordStream(output, encoding)
        try snapshot.links(LinkRequest(link.name)) { row in
            // A symmetric pair is given from both ends.
            if link.isSymmetric, row.link.target < row.link.source { return .next }
            if stream.count % 1024 == 0, options.isCancelled() { throw CancellationError() }
            var values: [Int64?] = [row.link.source, row.link.target]
            if link.isSourceOrdered { values.append(row.sourcePosition) }
            if link.isTargetOrdered { values.append(row.targetPosition) }
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
