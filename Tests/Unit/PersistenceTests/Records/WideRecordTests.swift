import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// A record of thirty attributes.
///
/// `make slow-expressions` prints the time that the type checker needs for its declaration.
struct WideRecord: PersistentRecord, Hashable {
    let id: RecordID<WideRecord>
    var value1: String
    var value2: Int
    var value3: Double
    var value4: Bool
    var value5: Date
    var value6: Decimal
    var value7: UUID
    var value8: Day
    var value9: TimeOfDay
    var value10: Int32
    var value11: String
    var value12: Int
    var value13: Double
    var value14: Bool
    var value15: Date
    var value16: Decimal
    var value17: UUID
    var value18: Day
    var value19: TimeOfDay
    var value20: Int32
    var value21: String?
    var value22: Int?
    var value23: Double?
    var value24: Bool?
    var value25: Date?
    var value26: Decimal?
    var value27: UUID?
    var value28: Day?
    var value29: TimeOfDay?
    var value30: Int32?

    static let entity = RecordEntity<WideRecord>(
        "WideRecord", id: \.id,
        [
            .attribute("value1", \.value1),
            .attribute("value2", \.value2),
            .attribute("value3", \.value3),
            .attribute("value4", \.value4),
            .attribute("value5", \.value5),
            .attribute("value6", \.value6, scale: 2),
            .attribute("value7", \.value7),
            .attribute("value8", \.value8),
            .attribute("value9", \.value9),
            .attribute("value10", \.value10),
            .attribute("value11", \.value11),
            .attribute("value12", \.value12),
            .attribute("value13", \.value13),
            .attribute("value14", \.value14),
            .attribute("value15", \.value15),
            .attribute("value16", \.value16, scale: 2),
            .attribute("value17", \.value17),
            .attribute("value18", \.value18),
            .attribute("value19", \.value19),
            .attribute("value20", \.value20),
            .attribute("value21", \.value21),
            .attribute("value22", \.value22),
            .attribute("value23", \.value23),
            .attribute("value24", \.value24),
            .attribute("value25", \.value25),
            .attribute("value26", \.value26, scale: 2),
            .attribute("value27", \.value27),
            .attribute("value28", \.value28),
            .attribute("value29", \.value29),
            .attribute("value30", \.value30),
        ]
    ) { row in
        WideRecord(
            id: try row.id(), value1: try row.next(), value2: try row.next(), value3: try row.next(),
            value4: try row.next(), value5: try row.next(), value6: try row.next(), value7: try row.next(),
            value8: try row.next(), value9: try row.next(), value10: try row.next(), value11: try row.next(),
            value12: try row.next(), value13: try row.next(), value14: try row.next(), value15: try row.next(),
            value16: try row.next(), value17: try row.next(), value18: try row.next(), value19: try row.next(),
            value20: try row.next(), value21: try row.next(), value22: try row.next(), value23: try row.next(),
            value24: try row.next(), value25: try row.next(), value26: try row.next(), value27: try row.next(),
            value28: try row.next(), value29: try row.next(), value30: try row.next())
    }
}

@Suite("A record with many attributes")
struct WideRecordTests {
    @Test("a record with thirty attributes is read with the values that were stored", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [WideRecord.self]))
        let time = try TimeOfDay(hour: 8, minute: 30)
        let day = try Day(year: 2026, month: 11, day: 22)
        let record = WideRecord(
            id: 1, value1: "a", value2: 2, value3: 3, value4: true, value5: Date(timeIntervalSinceReferenceDate: 5),
            value6: 6, value7: UUID(), value8: day, value9: time, value10: 10, value11: "k", value12: 12, value13: 13,
            value14: false, value15: Date(timeIntervalSinceReferenceDate: 15), value16: 16, value17: UUID(),
            value18: day, value19: time, value20: 20, value21: "u", value22: nil, value23: 23, value24: true,
            value25: nil, value26: 26, value27: UUID(), value28: nil, value29: time, value30: 30)
        try stack.background.performAndWait { context in
            try context.insert(record)
            try context.save()
        }
        let read = try stack.container.newBackgroundContext().performAndWait {
            try $0.fetchRecords(FetchRequest<WideRecord>())
        }
        #expect(read == [record])
    }
}
