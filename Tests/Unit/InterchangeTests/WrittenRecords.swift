import StrataPersistence

@testable import StrataInterchange

/// Encodes records of some columns like an export.
func written<Encoding: RecordEncoding>(_ records: [[StoredValue]], as encoding: Encoding) throws -> [UInt8] {
    let output = ByteOutput.memory()
    var stream = RecordStream(output, encoding)
    for record in records {
        for value in record {
            try stream.value { (encoding, column, buffer: inout ByteBuffer) throws(InvalidText) in
                try encoding.append(value, column: column, into: &buffer)
            }
        }
        try stream.endRecord()
    }
    try stream.finish()
    return output.bytes
}

/// Encodes records of texts as CSV like an export.
func csv(_ columns: [String], _ records: [[String?]], separator: CSVSeparator = .comma) throws -> [UInt8] {
    try csv(columns, values: values(records), separator: separator)
}

/// Encodes records as CSV like an export.
func csv(_ columns: [String], values records: [[StoredValue]], separator: CSVSeparator = .comma) throws -> [UInt8] {
    var options = ExportOptions(format: .csv)
    options.separator = separator
    return try written(records, as: TableEncoding(columns: columns, options))
}

/// Encodes records of texts as JSON like an export.
func json(_ columns: [String], _ records: [[String?]]) throws -> [UInt8] {
    try json(columns, values: values(records))
}

/// Encodes records as JSON like an export.
func json(_ columns: [String], values records: [[StoredValue]]) throws -> [UInt8] {
    try written(records, as: JSONEncoding(columns: columns, .array))
}

private func values(_ records: [[String?]]) -> [[StoredValue]] {
    records.map { record in record.map { text in text.map(StoredValue.string) ?? .null } }
}
