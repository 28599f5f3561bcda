import Foundation
import FuzzSupport
import StrataPersistence
import StrataStoreKit

@testable import StrataAtomicStores

/// A run that reads bytes as a store in one file; a valid store must remain equal when it is written and read again.
public enum StoreRun {
    /// The formats of stores in one file.
    public enum Kind {
        case xml, binary
    }

    private static func format(_ kind: Kind) -> any AtomicFormat { kind == .xml ? XMLFormat() : BinaryFormat() }

    /// A model with every type, a reference, and join rows of each kind.
    private static let made = Result {
        let types: [AttributeType] = [
            .string, .integer16, .integer64, .double, .decimal(scale: 2), .boolean, .date, .day, .timeOfDay, .uuid,
            .binary,
        ]
        let attributes = types.enumerated().map { number, type in
            EntityDescription.Property.attribute(
                AttributeDescription("a\(number)", type, isOptional: number > 0, isUnique: number == 3))
        }
        return try ManagedObjectModel([
            EntityDescription(
                "E",
                attributes + [
                    .relationship(
                        RelationshipDescription("r", to: "E", .toOne, isOptional: true, ownsForeignKey: true)),
                    .relationship(
                        RelationshipDescription("p", to: "E", .toMany, inverse: "q", isOptional: true, isOrdered: true)),
                    .relationship(RelationshipDescription("q", to: "E", .toMany, inverse: "p", isOptional: true)),
                    .relationship(RelationshipDescription("s", to: "E", .toMany, inverse: "s", isOptional: true)),
                ])
        ])
    }

    private static func model() -> ManagedObjectModel {
        do { return try made.get() } catch { fatalError("\(error)") }
    }

    /// Returns the bytes before the rows in the file of an empty store with the model.
    private static func beginning(_ kind: Kind) throws -> [UInt8] {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-fuzz-\(UUID().uuidString)")
        let provider = AtomicStoreProvider(kind == .xml ? .xml : .binary, at: url)
        try provider.open(model(), options: StoreOptions()).close()
        let bytes = Array(try Data(contentsOf: url))
        try FileManager.default.removeItem(at: url)
        let head = try format(kind).head(of: bytes)
        return Array(bytes[..<head.rows])
    }

    private static let beginnings = Result { (xml: try beginning(.xml), binary: try beginning(.binary)) }

    /// Reads an input: the bytes of a file, or the bytes after the model of a file.
    public static func run(_ kind: Kind, _ input: UnsafePointer<UInt8>?, _ count: Int) {
        var choices = Choices(input, count)
        let isWhole = choices.byte() % 4 == 0
        let rest = choices.rest()
        do {
            let beginnings = try beginnings.get()
            switch kind {
            case .xml: run(kind, isWhole ? rest : beginnings.xml + rest)
            case .binary: run(kind, isWhole ? rest : sealed(beginnings.binary, rest))
            }
        } catch {
            fatalError("\(error)")
        }
    }

    /// Returns a binary store of rows with valid checksums.
    private static func sealed(_ beginning: [UInt8], _ rows: [UInt8]) -> [UInt8] {
        let identifier = UUID(bytes: beginning[12..<28])
        let payload = Array(beginning[BinaryHeader.byteCount...]) + rows
        check(payload.count <= BinaryHeader.blockSize, "more than a block")
        let checksum = payload.withUnsafeBytes { BlockWriter.checksum(of: $0, number: 0, identifier: identifier) }
        return BinaryHeader(version: 1, identifier: identifier, payload: UInt64(payload.count)).bytes + payload
            + checksum.littleEndianBytes
    }

    /// Reads bytes as a store.
    private static func run(_ kind: Kind, _ bytes: [UInt8]) {
        do {
            let read = try DecodedStore(bytes, format(kind), path: "file", comparedWith: model())
            let title = StoreTitle(read.head.identifier, read.model)
            let written = try self.bytes(kind, read, title)
            let again = try DecodedStore(written, format(kind), path: "file", comparedWith: read.model)
            check(try self.bytes(kind, again, title) == written, "another file")
        } catch let error as PersistenceError {
            check(
                [.corrupt, .notADatabase, .foreignStore, .newerFormat].contains(error.code), "\(error.debugDescription)"
            )
            check(error.path == "file" && !error.message.isEmpty, "\(error)")
        } catch {
            fatalError("\(error)")
        }
    }

    private static func bytes(_ kind: Kind, _ store: DecodedStore, _ title: StoreTitle) throws -> [UInt8] {
        let output = MemoryOutput()
        try format(kind).write(store.contents, title, to: output)
        return output.bytes
    }
}
