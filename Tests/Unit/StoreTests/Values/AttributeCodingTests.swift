import Foundation
import Testing

@testable import StrataCore
@testable import StrataStoreKit

@Suite("Codings of types")
struct AttributeCodingTests {
    /// A value of each type.
    static let values: [(AttributeType, StoredValue)] = [
        (.string, .string("a")), (.integer16, .integer(1)), (.integer32, .integer(1)), (.integer64, .integer(1)),
        (.double, .double(0.5)), (.decimal(scale: 2), .decimal(ScaledDecimal(unscaled: 5, scale: 2))),
        (.boolean, .boolean(true)), (.date, .date(Date(timeIntervalSinceReferenceDate: 1))),
        (.day, .day(Day(unchecked: CalendarDay(year: 2000, month: 1, day: 1)))),
        (.timeOfDay, .timeOfDay(TimeOfDay(unchecked: 1))), (.uuid, .uuid(UUID())), (.binary, .binary(Data([1]))),
    ]

    @Test(
        "each type is read back from its name, and a value of the type is read back from text and storage",
        arguments: values)
    func roundTrips(type: AttributeType, value: StoredValue) throws {
        let json = try JSONEncoder().encode([type])
        #expect(try JSONDecoder().decode([AttributeType].self, from: json) == [type])
        #expect(value.converted(to: type) == value)
        #expect(OperandType.Kind(type) == OperandType.Kind(value))
        #expect(OperandType.Kind(type).type?.storage == type.storage)
        var buffer = ByteBuffer()
        try type.coding.write(value, to: &buffer)
        #expect(try type.coding.parse(String(decoding: buffer.bytes, as: UTF8.self)) == value)
        let entity = EntityDescription("Thing", [.attribute(.init("value", type, isOptional: true))])
        var block = RowBlock(of: entity)
        block.beginRow(location: RowLocation(line: 1, record: 1))
        block.set(value, column: 0)
        #expect(block.value(row: 0, column: 0) == value)
        #expect(block.cells[0].kind == RowBlock.Kind(type.storage))
        #expect(BlockValidator(entity).validateLastRow(of: &block).isEmpty)
        if type.storage == .text, let coding = value.coding, case .text(let text) = coding.stored(value) {
            let isStored = coding.isStored(Array(text.utf8).span)
            #expect(isStored)
        }
    }

    @Test("values of types without a common comparison are ordered by the ranks of their types")
    func ranks() {
        for (left, first) in Self.values {
            for (right, second) in Self.values where left.coding.valueName != right.coding.valueName {
                let isNumber = left.coding.rank == 2 && right.coding.rank == 2
                #expect(isNumber || left.coding.rank != right.coding.rank, "\(left) and \(right)")
                #expect((first < second) != (second < first), "\(first) and \(second)")
            }
        }
    }

    @Test("a text that is not a value of its column's type causes a failure that quotes the text")
    func garbage() {
        let entity = EntityDescription(
            "Shop", [.attribute(.init("day", .day)), .attribute(.init("opens", .timeOfDay))])
        var block = RowBlock(of: entity)
        block.beginRow(id: 1, location: RowLocation(line: 1, record: 1))
        block.setText(Array("20000101".utf8).span, column: 0)
        block.setText(Array("08:30".utf8).span, column: 1)
        let failures = BlockValidator(entity).validateLastRow(of: &block)
        #expect(
            failures.map(\.debugDescription) == [
                "Shop 1, day: “20000101” is not a day", "Shop 1, opens: “08:30” is not a time of day",
            ])
    }
}
