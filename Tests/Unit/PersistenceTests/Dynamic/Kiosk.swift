import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting

/// A model without Swift types that has attributes of every type and relationships of every kind.
struct Kiosk {
    static let types: [(name: String, type: AttributeType, value: StoredValue)] = [
        ("text", .string, .string("naïve \"日本\"\n\u{1}")),
        ("small", .integer16, .integer(-32_768)),
        ("middle", .integer32, .integer(2_147_483_647)),
        ("large", .integer64, .integer(9_007_199_254_740_993)),
        ("real", .double, .double(0.1)),
        ("price", .decimal(scale: 2), .decimal(ScaledDecimal(unscaled: 10_010, scale: 2))),
        ("flag", .boolean, .boolean(true)),
        ("instant", .date, .date(Date(timeIntervalSinceReferenceDate: 123_456_789.5))),
        ("day", .day, Day("2024-02-29").map(StoredValue.day) ?? .null),
        ("time", .timeOfDay, TimeOfDay("23:59:59.5").map(StoredValue.timeOfDay) ?? .null),
        ("uuid", .uuid, UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100").map(StoredValue.uuid) ?? .null),
        ("bytes", .binary, .binary(Data([0, 255, 128]))),
    ]

    static func model() throws -> ManagedObjectModel {
        let everything = EntityDescription(
            "Thing",
            types.map { .attribute(AttributeDescription($0.name, $0.type)) }
                + types.map { .attribute(AttributeDescription("\($0.name)OrNot", $0.type, isOptional: true)) })
        let shelf = EntityDescription(
            "Shelf",
            [
                .attribute(AttributeDescription("label", .string, rules: [.maximumLength(8)], isUnique: true)),
                .attribute(
                    AttributeDescription("rank", .integer64, defaultValue: .constant(.integer(7)), isImmutable: true)),
                .relationship(
                    RelationshipDescription("beside", to: "Shelf", .toOne, inverse: "neighbour", isOptional: true)),
                .relationship(
                    RelationshipDescription(
                        "neighbour", to: "Shelf", .toOne, inverse: "beside", ownsForeignKey: false)),
                .relationship(
                    RelationshipDescription(
                        "papers", to: "Paper", .toMany, inverse: "shelf", deleteRule: .cascade,
                        orderingAttribute: "place")),
                .relationship(
                    RelationshipDescription("topics", to: "Topic", .toMany, inverse: "shelves", isOrdered: true)),
            ])
        let paper = EntityDescription(
            "Paper",
            [
                .attribute(AttributeDescription("title", .string)),
                .attribute(AttributeDescription("year", .integer64)),
                .attribute(
                    AttributeDescription(
                        "price", .decimal(scale: 2), isOptional: true,
                        rules: [.minimum(.decimal(ScaledDecimal(unscaled: 0, scale: 2)))])),
                .attribute(AttributeDescription("place", .integer64, isOptional: true)),
                .relationship(
                    RelationshipDescription(
                        "shelf", to: "Shelf", .toOne, inverse: "papers", isOptional: true)),
            ], uniquenessConstraints: [["title", "year"]])
        let topic = EntityDescription(
            "Topic",
            [
                .attribute(AttributeDescription("word", .string)),
                .relationship(RelationshipDescription("shelves", to: "Shelf", .toMany, inverse: "topics")),
            ])
        return try ManagedObjectModel([everything, shelf, paper, topic])
    }

    let model: ManagedObjectModel
    let things: DynamicEntity
    let shelves: DynamicEntity
    let papers: DynamicEntity
    let topics: DynamicEntity

    init() throws {
        model = try Self.model()
        things = try model.dynamicEntity("Thing")
        shelves = try model.dynamicEntity("Shelf")
        papers = try model.dynamicEntity("Paper")
        topics = try model.dynamicEntity("Topic")
    }

    /// Returns a thing with a value of each type, and with null for optional values.
    func thing(_ id: DynamicRecord.ID) throws -> DynamicRecord {
        try DynamicRecord(
            things,
            StoredRow(id: id.rawValue, values: Self.types.map(\.value) + Self.types.map { _ in .null }))
    }
}

/// The implementations that work with values: a context over each kind of store, and the test double of
/// `StrataTesting`.
enum RecordsKind: Sendable, CaseIterable, CustomStringConvertible {
    case store(StoreKind)
    case double

    static let allCases = StoreKind.allCases.map(RecordsKind.store) + [.double]

    var description: String {
        switch self {
        case .store(let kind): kind.description
        case .double: "double"
        }
    }

    /// Returns empty records of a model.
    func records(_ model: ManagedObjectModel) throws -> OpenRecords {
        switch self {
        case .double: return OpenRecords(context: try InMemoryRecords(model), stack: nil)
        case .store(let kind):
            let stack = try kind.stack(model)
            return OpenRecords(context: stack.background, stack: stack)
        }
    }
}

/// Records and the objects that must live as long.
struct OpenRecords {
    let context: any RecordContext
    let stack: TestStack?
}
