import Foundation
import StrataCore
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataAtomicStores

/// Damaged files are read with their original contents or rejected with the location.
@Suite("Damaged files")
struct DamageTests {
    private static let refusals: Set<PersistenceError.Code> = [
        .corrupt, .notADatabase, .foreignStore, .newerFormat, .incompatibleModel,
    ]

    /// Returns the contents of a file, or `nil` if it is rejected with one of the expected errors.
    private func read(_ kind: FileKind, _ bytes: [UInt8], _ model: ManagedObjectModel) throws -> DecodedStore? {
        do { return try kind.decoded(bytes, model) } catch let error as PersistenceError {
            #expect(Self.refusals.contains(error.code), "\(error)")
            #expect(error.path == "file")
            return nil
        }
    }

    @Test("every flipped bit of a binary store is detected")
    func flipped() throws {
        let (model, bytes) = (try Sample.small(), try Sample.smallFile(.binary))
        for index in bytes.indices {
            for bit in [0, 3, 7] {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(try read(.binary, damaged, model) == nil, "byte \(index)")
            }
        }
    }

    @Test("a binary store that is truncated or has extra bytes is rejected with the location")
    func length() throws {
        let (model, bytes) = (try Sample.small(), try Sample.smallFile(.binary))
        for count in 0..<bytes.count { #expect(try read(.binary, Array(bytes.prefix(count)), model) == nil) }
        let longer = failure { _ = try FileKind.binary.decoded(bytes + [0], model) }
        #expect(longer?.code == .corrupt)
        #expect(longer?.message == "byte \(bytes.count): the store ends here, but 1 more bytes follow")
        let shorter = failure { _ = try FileKind.binary.decoded(Array(bytes.dropLast(9)), model) }
        #expect(
            shorter?.message == "byte \(bytes.count - 9): the file ends here, but \(bytes.count) bytes were written")
    }

    @Test("damage of a binary store is reported with the location of the damaged block")
    func block() throws {
        let model = try Sample.model()
        var bytes = try FileKind.binary.bytes(
            try Sample.contents(seed: 1, count: 400), StoreTitle(Sample.identifier, model))
        let third = BinaryHeader.byteCount + 2 * (BinaryHeader.blockSize + BinaryHeader.checksumSize)
        try #require(bytes.count > third + 100)
        bytes[third + 99] ^= 1
        #expect(
            failure { _ = try FileKind.binary.decoded(bytes, model) }?.message.hasPrefix(
                "byte \(third): the file is damaged in the ") == true)
        // This exchanges two intact blocks.
        bytes[third + 99] ^= 1
        let size = BinaryHeader.blockSize + BinaryHeader.checksumSize
        let first = Array(bytes[40..<40 + size])
        bytes.replaceSubrange(40..<40 + size, with: bytes[40 + size..<40 + 2 * size])
        bytes.replaceSubrange(40 + size..<40 + 2 * size, with: first)
        #expect(failure { _ = try FileKind.binary.decoded(bytes, model) }?.message.hasPrefix("byte 40: ") == true)
    }

    @Test(
        "a binary store with random changes and correct checksums is rejected or read as a valid store",
        arguments: Seeds.first(60, of: Seeds.areAll ? 0..<600 : 0..<20_000))
    func forged(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (model, bytes) = (try Sample.small(), try Sample.smallFile(.binary))
        let header = try BinaryHeader(bytes, newest: 2)
        var payload = Array(bytes[40..<40 + Int(header.payload)])
        // Only the rows are forged: the model before them is a text with tests of its own.
        let rows = payload.count - 120
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: (random.next() % 4 == 0 ? 0 : rows)..<payload.count, using: &random)
            switch random.next() % 4 {
            case 0: payload[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: payload.insert(contentsOf: [UInt8](repeating: 0xFF, count: Int(random.next() % 11)), at: place)
            case 2: payload.removeSubrange(place..<min(payload.count, place + Int(random.next() % 9)))
            default: payload[place] ^= 1 << UInt8(random.next() % 8)
            }
            if payload.count < rows + 20 { break }
        }
        guard let read = try read(.binary, Self.sealed(payload), model) else { return }
        // Data that was read can be written as a valid store.
        let again = try FileKind.binary.bytes(read.contents, StoreTitle(Sample.identifier, read.model))
        #expect(try self.read(.binary, again, model) != nil, "seed \(seed)")
    }

    /// Returns the bytes with a header and checksums.
    private static func sealed(_ payload: [UInt8]) -> [UInt8] {
        var bytes = BinaryHeader(version: 2, identifier: Sample.identifier, payload: UInt64(payload.count)).bytes
        for (number, start) in stride(from: 0, to: payload.count, by: BinaryHeader.blockSize).enumerated() {
            let block = payload[start..<min(start + BinaryHeader.blockSize, payload.count)]
            bytes += block
            let checksum = block.withUnsafeBytes {
                BlockWriter.checksum(of: $0, number: UInt32(number), identifier: Sample.identifier)
            }
            bytes += checksum.littleEndianBytes
        }
        return bytes
    }

    @Test(
        "a randomly changed XML store is rejected or read as a valid store",
        arguments: Seeds.first(60, of: Seeds.areAll ? 0..<600 : 0..<20_000))
    func mutated(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let model = try Sample.small()
        var bytes = try Sample.smallFile(.xml)
        let words = ["<", ">", "&", "</row>", "<row id=\"1\">", "<!--", "-->", "]]>", "&#0;", "\"", "\u{1}", "<text>"]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch random.next() % 5 {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.insert(contentsOf: Array(words[Int(random.next() % UInt64(words.count))].utf8), at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 40)))
            case 3: bytes[place] ^= 1 << UInt8(random.next() % 8)
            default:
                let part = Array(bytes[place..<min(bytes.count, place + Int(random.next() % 80))])
                bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
            }
            if bytes.isEmpty { break }
        }
        guard let read = try read(.xml, bytes, model) else { return }
        let again = try FileKind.xml.bytes(read.contents, StoreTitle(Sample.identifier, read.model))
        #expect(try self.read(.xml, again, model) != nil, "seed \(seed)")
    }

    @Test("an XML store with one changed byte is read or rejected, whichever byte changed")
    func everyByte() throws {
        let (model, bytes) = (try Sample.small(), try Sample.smallFile(.xml))
        // The model is a JSON text, whose reader has tests of its own.
        let text = String(decoding: bytes, as: UTF8.self)
        let end = try #require(text.firstRange(of: "</model>")).upperBound
        let start = try #require(text.firstRange(of: "<model>")).lowerBound
        let places = [
            0..<text.utf8.distance(from: text.startIndex, to: start) + 20,
            text.utf8.distance(from: text.startIndex, to: end) - 20..<bytes.count,
        ]
        for index in places.joined() {
            for other: UInt8 in [0x3C, 0x80, bytes[index] ^ 1] {
                var damaged = bytes
                damaged[index] = other
                _ = try read(.xml, damaged, model)
            }
        }
    }
}
