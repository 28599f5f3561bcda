import Foundation
import StrataCore
import StrataInMemory

/// The binary format of a store's file, which is smaller and faster to read than XML.
///
/// The blocks after the header contain, in this order: the count of user-defined metadata texts, and their keys and
/// texts, sorted by key; the model as a model file; for each entity, in the model's order, the next identifier, the
/// count of rows, and the rows by identifier; for each join table, the count of join rows, and the join rows by source
/// and target.
struct BinaryFormat: AtomicFormat {
    var kind: String { "binary" }
    var version: Int { 2 }

    func place(_ offset: Int, in bytes: [UInt8]) -> String { "byte \(offset)" }

    // MARK: Writing

    func write(_ contents: InMemoryContents, _ title: StoreTitle, to output: any AtomicOutput) throws {
        var header = BinaryHeader(version: UInt32(version), identifier: title.identifier, payload: 0)
        try header.bytes.withUnsafeBytes { try output.write($0) }
        let writer = BlockWriter(output, identifier: title.identifier)
        writer.put(count: contents.metadata.count)
        for (key, text) in contents.metadata.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            writer.put(key)
            writer.put(text)
            try writer.drain()
        }
        writer.put(title.modelFile)
        for entity in title.model.entities {
            let coding = BinaryRow(entity)
            let rows = contents.rows(of: entity.name)
            writer.put(contents.nextIdentifier(of: entity.name))
            writer.put(count: rows.count)
            for row in rows {
                try coding.write(row, to: writer)
                try writer.drain()
            }
        }
        for join in title.model.joins {
            let pairs = contents.pairs(of: join.name)
            writer.put(count: pairs.count)
            for pair in pairs {
                writer.put(pair.pair.source)
                writer.put(pair.pair.target)
                if join.isSourceOrdered { writer.put(position: pair.sourcePosition) }
                if join.isTargetOrdered { writer.put(position: pair.targetPosition) }
                try writer.drain()
            }
        }
        try writer.finish()
        header.payload = writer.payload
        try output.overwriteStart(header.bytes)
    }

    // MARK: Reading

    func head(of bytes: [UInt8]) throws -> StoreHead {
        let header = try BinaryHeader(bytes, newest: UInt32(version))
        try BlockReader.check(bytes, header)
        var reader = BlockReader(bytes, header)
        return try head(&reader, header)
    }

    private func head(_ reader: inout BlockReader, _ header: BinaryHeader) throws -> StoreHead {
        var metadata: [String: String] = [:]
        for _ in 0..<(try reader.count(ofAtLeast: 2)) {
            let start = reader.offset
            let key = try reader.text()
            guard metadata.updateValue(try reader.text(), forKey: key) == nil else {
                throw FormatError("a key occurs twice", at: start)
            }
        }
        return StoreHead(
            identifier: header.identifier, modelFile: try reader.text(), metadata: metadata, rows: reader.offset)
    }

    func read(_ bytes: [UInt8], after head: StoreHead, into loader: ContentsLoader) throws {
        let header = try BinaryHeader(bytes, newest: UInt32(version))
        var reader = BlockReader(bytes, header)
        _ = try self.head(&reader, header)
        for (place, entity) in loader.model.entities.enumerated() {
            let coding = BinaryRow(entity)
            let start = reader.offset
            let mark = try reader.signed()
            guard mark >= identifierRange.lowerBound, mark <= identifierRange.upperBound + 1 else {
                throw FormatError("the stored next identifier of \(entity.name) is not a valid identifier", at: start)
            }
            loader.setMark(mark, of: place, at: start)
            // A row has at least an identifier and a version.
            for _ in 0..<(try reader.count(ofAtLeast: 2)) {
                try coding.read(&reader, of: place, into: loader)
            }
        }
        for (place, join) in loader.model.joins.enumerated() {
            for _ in 0..<(try reader.count(ofAtLeast: 2)) {
                let start = reader.offset
                var row = JoinRow(JoinPair(source: try reader.signed(), target: try reader.signed()))
                if join.isSourceOrdered { row.sourcePosition = try reader.position() }
                if join.isTargetOrdered { row.targetPosition = try reader.position() }
                try loader.add(row, of: place, at: start)
            }
        }
        guard reader.left == 0 else {
            throw FormatError("the rows end here, but \(reader.left) more bytes follow", at: reader.offset)
        }
    }
}

extension BlockWriter {
    /// Appends a position in an order, or a marker if there is none.
    fileprivate func put(position: Int64?) {
        put(position == nil ? 0 : 1 as UInt8)
        if let position { put(position) }
    }
}

extension BlockReader {
    /// Reads a position in an order, or `nil` for the marker of a missing position.
    fileprivate mutating func position() throws -> Int64? {
        let start = offset
        switch try byte() {
        case 0: return nil
        case 1: return try signed()
        default: throw FormatError("the byte that indicates a position is invalid", at: start)
        }
    }
}
