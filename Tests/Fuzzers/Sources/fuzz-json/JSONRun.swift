import FuzzSupport

@testable import StrataInterchange

/// One read of a document, with all events.
struct JSONRun {
    /// A member of a record.
    struct Member: Equatable {
        var key: String
        var kind: JSONKind
        var text: String
    }

    let lines: TextLines?
    private(set) var events: [String] = []
    private var records: [[Member]] = []

    init(lines: TextLines?) {
        self.lines = lines
    }

    /// Reads to the end and recovers after every bad record if possible.
    mutating func read(_ file: [UInt8], _ layout: JSONRecordLayout, _ limit: Int, blockSize: Int) {
        do {
            let input = ByteInput(bytes: file, name: "f", blockSize: blockSize)
            var reader = try JSONRecordReader(input, layout: layout, recordLimit: limit)
            while try readRecord(&reader, layout, limit) {}
        } catch {
            check([.malformed, .header].contains(error.code), "\(error)")
            events.append("\(error)")
        }
    }

    private mutating func readRecord(
        _ reader: inout JSONRecordReader, _ layout: JSONRecordLayout, _ limit: Int
    ) throws(InterchangeError) -> Bool {
        let (record, line) = (reader.record, reader.line)
        var isBroken = false
        do throws(InterchangeError) {
            guard try reader.next() else {
                check(reader.record == record && reader.memberCount == 0, "a record after the end")
                check(try !reader.next(), "a second end")
                return false
            }
            note(reader)
        } catch {
            isBroken = true
            events.append("\(error)")
            check(error.code == .malformed, "\(error)")
            guard try reader.recover() else {
                check(layout.shape != .lines, "lines recover")
                return false
            }
        }
        check(reader.record == record + 1, "record \(reader.record) after \(record)")
        check(reader.line >= line, "line \(reader.line) after \(line)")
        let original = reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } }
        // The retained part of an overlong record depends on the block size.
        guard !isBroken || limit == JSONRecordReader.defaultRecordLimit else { return true }
        events.append("\(reader.line) \(original)")
        if let lines, !original.isEmpty {
            check(lines.line(reader.line, holds: original), "line \(reader.line) does not contain \(original)")
        }
        return true
    }

    private mutating func note(_ reader: borrowing JSONRecordReader) {
        var record: [Member] = []
        for index in 0..<reader.memberCount {
            let kind = reader.kind(ofMember: index)
            let text = kind == .array || kind == .object ? "" : reader.text(ofMember: index)
            record.append(Member(key: reader.key(ofMember: index), kind: kind, text: text))
            check(reader.line(ofMember: index) >= reader.line, "a member before its record")
            events.append("\(reader.line(ofMember: index)) \(kind) \(record[index].key)=\(text)")
        }
        check(Set(record.map { Array($0.key.utf8) }).count == record.count, "a duplicate key in \(record)")
        records.append(record)
    }

    /// Writes the records, reads them again, and compares keys and texts.
    func writeAndRead() {
        for record in records where !record.isEmpty {
            do {
                let output = ByteOutput.memory()
                var stream = RecordStream(output, JSONEncoding(columns: record.map(\.key), .pretty))
                for member in record {
                    stream.value { encoding, column, buffer in
                        if member.kind == .null {
                            encoding.null(column, &buffer)
                        } else {
                            encoding.string(member.text, column: column, into: &buffer)
                        }
                    }
                }
                try stream.endRecord()
                try stream.finish()
                var reader = try JSONRecordReader(ByteInput(bytes: output.bytes, name: "w", blockSize: 512))
                check(try reader.next() && reader.memberCount == record.count, "no record for \(record)")
                for (index, member) in record.enumerated() {
                    check(reader.key(ofMember: index).utf8.elementsEqual(member.key.utf8), "key of \(member)")
                    check(reader.kind(ofMember: index) == (member.kind == .null ? .null : .string), "kind of \(member)")
                    check(
                        member.kind == .null || reader.text(ofMember: index).utf8.elementsEqual(member.text.utf8),
                        "text of \(member)")
                }
                check(try !reader.next(), "an additional record")
            } catch {
                fatalError("the written records cannot be read: \(error)")
            }
        }
    }
}
