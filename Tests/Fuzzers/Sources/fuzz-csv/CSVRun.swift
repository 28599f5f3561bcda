import FuzzSupport

@testable import StrataInterchange

/// One read of a file, with all events.
struct CSVRun {
    /// A field of a record.
    struct Field: Equatable {
        var text: String
        var isNull: Bool
    }

    /// The lines of the file, if they are known.
    let lines: TextLines?
    private(set) var events: [String] = []
    private var header: [String] = []
    private var records: [[Field]] = []

    init(lines: TextLines?) {
        self.lines = lines
    }

    /// Reads to the end and recovers after every bad record.
    mutating func read(_ file: [UInt8], _ dialect: CSVDialect, _ limit: Int, blockSize: Int) {
        do {
            let input = ByteInput(bytes: file, name: "f", blockSize: blockSize)
            var reader = try CSVReader(input, dialect: dialect, recordLimit: limit) { $0 == "id" || $0 == "name" }
            header = reader.header
            events.append("header \(reader.headerLine) \(header) \(reader.separatorFound.byte)")
            checkOriginal(reader.headerLine, reader.headerOriginal, isWhole: true)
            while try readRecord(&reader, limit) {}
            for repair in reader.repairs { events.append(repair) }
        } catch {
            events.append("\(error)")
        }
    }

    /// Reads one record and returns `false` at the end.
    private mutating func readRecord(_ reader: inout CSVReader, _ limit: Int) throws(InterchangeError) -> Bool {
        let (record, line) = (reader.record, reader.line)
        var isBroken = false
        do throws(InterchangeError) {
            guard try reader.next() else {
                check(reader.record == record && reader.fieldCount == 0, "a record after the end")
                check(try !reader.next(), "a second end")
                return false
            }
            try note(&reader)
        } catch {
            isBroken = true
            events.append("\(error)")
            check(error.code == .malformed, "\(error)")
            check(error.record == reader.record && error.line == reader.line, "location of \(error)")
            try reader.recover()
        }
        check(reader.record == record + 1, "record \(reader.record) after \(record)")
        check(reader.line > line || record == 0, "line \(reader.line) after \(line)")
        let original = reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } }
        // The retained part of an overlong record depends on the block size.
        if !isBroken || limit == CSVReader.defaultRecordLimit {
            events.append("\(reader.line) \(original)")
            checkOriginal(reader.line, original, isWhole: !isBroken)
        }
        return true
    }

    /// Stores the fields of the current record.
    private mutating func note(_ reader: inout CSVReader) throws(InterchangeError) {
        var record: [Field] = []
        for index in 0..<reader.fieldCount {
            record.append(Field(text: reader.text(ofField: index), isNull: reader.isNull(field: index)))
        }
        events.append(record.map { ($0.isNull ? "-" : "+") + $0.text }.joined(separator: "\u{1}"))
        do throws(InterchangeError) {
            try reader.checkFieldCount()
        } catch {
            // The reader continues after this error without a recovery.
            events.append("\(error)")
            return
        }
        if record.count >= reader.header.count { records.append(Array(record.prefix(reader.header.count))) }
    }

    private func checkOriginal(_ number: Int, _ original: [UInt8], isWhole: Bool) {
        guard let lines, !original.isEmpty else { return }
        check(lines.line(number, beginsWith: original), "line \(number) does not begin with \(original)")
        let end = lines.starts[number - 1] + original.count
        check(end == lines.bytes.count || [10, 13].contains(lines.bytes[end]), "line \(number) does not end there")
    }

    /// Writes the records, reads them again, and compares them.
    func writeAndRead() {
        guard !header.isEmpty else { return }
        do {
            let output = ByteOutput.memory()
            var stream = RecordStream(output, TableEncoding(columns: header, ExportOptions(format: .csv)))
            for record in records {
                for field in record {
                    stream.value { encoding, column, buffer in
                        if field.isNull {
                            encoding.null(column, &buffer)
                        } else {
                            encoding.string(field.text, column: column, into: &buffer)
                        }
                    }
                }
                try stream.endRecord()
            }
            try stream.finish()
            let input = ByteInput(bytes: output.bytes, name: "w", blockSize: 512)
            var reader = try CSVReader(input, dialect: CSVDialect(separator: .comma))
            check(reader.header == header, "header \(reader.header) was \(header)")
            for record in records {
                check(try reader.next(), "no record for \(record)")
                check(reader.fieldCount == record.count, "\(reader.fieldCount) fields for \(record)")
                for (index, field) in record.enumerated() {
                    check(reader.isNull(field: index) == field.isNull, "null in \(record)")
                    check(field.isNull || reader.text(ofField: index) == field.text, "text in \(record)")
                }
            }
            check(try !reader.next(), "an additional record")
        } catch {
            fatalError("the written records cannot be read: \(error)")
        }
    }
}
