import Foundation
import StrataCore
import StrataStoreKit
import Testing

@Suite("Blocks of rows")
struct RowBlockTests {
    @Test("a row block reports the set columns of its last row only")
    func isSet() throws {
        let entity = EntityDescription(
            "Thing",
            ["a", "b"].map { .attribute(AttributeDescription($0, .integer64, isOptional: true)) })
        var block = RowBlock(of: try #require(ManagedObjectModel([entity])["Thing"]))
        block.beginRow(location: RowLocation(line: 1, record: 1))
        block.setInteger(7, column: 1)
        #expect(!block.isSet(column: 0) && block.isSet(column: 1))
        block.beginRow(location: RowLocation(line: 2, record: 2))
        block.setNull(column: 0)
        #expect(block.isSet(column: 0) && !block.isSet(column: 1))
    }

    @Test("setting binary data changes only the last row of a block")
    func binary() throws {
        let entity = EntityDescription(
            "Thing", ["a", "b"].map { .attribute(AttributeDescription($0, .binary, isOptional: true)) })
        var block = RowBlock(of: try #require(ManagedObjectModel([entity])["Thing"]))
        for line in 1...2 { block.beginRow(location: RowLocation(line: line, record: line)) }
        block.setBinary([7, 8].span, column: 1)
        #expect((0...1).map { block.value(row: 0, column: $0) } == [nil, nil])
        #expect((0...1).map { block.value(row: 1, column: $0) } == [nil, .binary(Data([7, 8]))])
    }

    @Test("removing the last row of a block also removes the row's note")
    func takenBack() throws {
        let entity = EntityDescription("Thing", [.attribute(AttributeDescription("a", .integer64, isOptional: true))])
        var block = RowBlock(of: try #require(ManagedObjectModel([entity])["Thing"]))
        block.beginRow(location: RowLocation(line: 1, record: 1))
        block.setNote([7].span)
        block.removeLastRow()
        block.beginRow(location: RowLocation(line: 2, record: 2))
        #expect(block.note(ofRow: 0).isEmpty)
    }

    @Test("a missing mandatory column is reported for an insert, but not for an update")
    func absent() throws {
        let entity = EntityDescription("Thing", [.attribute(AttributeDescription("a", .integer64))])
        let described = try #require(ManagedObjectModel([entity])["Thing"])
        var block = RowBlock(of: described)
        block.beginRow(location: RowLocation(line: 1, record: 1))
        let failures = BlockValidator(described).validateLastRow(of: &block)
        #expect(failures.map(\.attribute) == ["a"] && failures.map(\.rule) == [.mandatory])
        #expect(BlockValidator(described, InsertOptions(onConflict: .update)).validateLastRow(of: &block).isEmpty)
    }

    @Test("the default now is the current time in whole milliseconds")
    func now() throws {
        let day = AttributeDescription("day", .date, defaultValue: .now)
        let entity = try #require(ManagedObjectModel([EntityDescription("Thing", [.attribute(day)])])["Thing"])
        let before = Date.now.timeIntervalSinceReferenceDate
        let value = RowDefaults(entity).value(0)
        let after = Date.now.timeIntervalSinceReferenceDate
        guard case .date(let date) = value else { return #expect(Bool(false), "no date") }
        let milliseconds = date.timeIntervalSinceReferenceDate * 1000
        #expect(milliseconds > before * 1000 - 1 && milliseconds <= after * 1000)
    }

    @Test("integer types have an integer range, and other types have no integer range")
    func integerRange() {
        #expect(AttributeType.integer16.integerRange == -32768...32767)
        #expect(AttributeType.integer64.integerRange == Int64.min...Int64.max)
        for type in [AttributeType.string, .double, .boolean, .date, .decimal(scale: 2), .day] {
            #expect(type.integerRange == nil)
        }
    }

    @Test("a byte buffer grows as bytes are appended")
    func buffer() {
        let count = 1 << 20
        var buffer = ByteBuffer(capacity: 1)
        for number in 0..<count { buffer.append(UInt8(truncatingIfNeeded: number)) }
        #expect(buffer.count == count)
        #expect(buffer.bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0) })
    }
}
