import Foundation
import StrataCore
import StrataInMemory
import StrataTestSupport

@testable import StrataAtomicStores

/// A model with every feature that a file must keep, and its rows.
enum Sample {
    private static func attribute(_ name: String, _ type: AttributeType, isUnique: Bool = false)
        -> EntityDescription.Property
    {
        .attribute(AttributeDescription(name, type, isOptional: true, isUnique: isUnique))
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription("Owner", [.attribute(AttributeDescription("name", .string))]),
            EntityDescription(
                "Thing",
                [
                    attribute("text", .string), attribute("small", .integer16), attribute("middle", .integer32),
                    attribute("large", .integer64), attribute("real", .double),
                    attribute("price", .decimal(scale: 2)), attribute("fine", .decimal(scale: 18)),
                    attribute("isNew", .boolean), attribute("made", .date), attribute("day", .day),
                    attribute("time", .timeOfDay), attribute("key", .uuid, isUnique: true),
                    attribute("data", .binary),
                    .relationship(
                        RelationshipDescription("owner", to: "Owner", .toOne, isOptional: true, ownsForeignKey: true)),
                    .relationship(
                        RelationshipDescription(
                            "parts", to: "Thing", .toMany, inverse: "wholes", isOptional: true, isOrdered: true)),
                    .relationship(
                        RelationshipDescription("wholes", to: "Thing", .toMany, inverse: "parts", isOptional: true)),
                    .relationship(
                        RelationshipDescription("peers", to: "Thing", .toMany, inverse: "peers", isOptional: true)),
                ]),
        ])
    }

    /// Returns a model with short names, for tests that examine each byte.
    static func small() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "Note",
                [
                    .attribute(AttributeDescription("text", .string)), attribute("count", .integer16),
                    attribute("code", .string, isUnique: true),
                    .relationship(
                        RelationshipDescription("next", to: "Note", .toOne, isOptional: true, ownsForeignKey: true)),
                    .relationship(
                        RelationshipDescription(
                            "tags", to: "Note", .toMany, inverse: "tagged", isOptional: true, isOrdered: true)),
                    .relationship(
                        RelationshipDescription("tagged", to: "Note", .toMany, inverse: "tags", isOptional: true)),
                ])
        ])
    }

    static let smallRows = [
        StoredRow(id: 1, version: 3, values: [.string("a < b & c"), .integer(-7), .string("x\"y"), .integer(4)]),
        StoredRow(id: 4, version: 1, values: [.string("two\nlines"), .null, .null, .null]),
        StoredRow(id: 5, version: 9, values: [.string(""), .integer(32767), .string("\u{1}"), .integer(5)]),
    ]

    static func smallContents() throws -> InMemoryContents {
        InMemoryContents(
            try small(), rows: ["Note": smallRows], marks: ["Note": 12],
            pairs: ["Note_tags": [JoinRow(JoinPair(source: 1, target: 5), sourcePosition: 2)]],
            metadata: ["customer": "Ada\r\n", "a\tb": "\u{2}", "\u{3}": ""])
    }

    static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    /// Returns the small store as a file.
    static func smallFile(_ kind: FileKind) throws -> [UInt8] {
        try kind.bytes(try smallContents(), StoreTitle(identifier, try small()))
    }

    // MARK: Hostile values

    static let texts: [String] =
        [
            "", " ", "  leading and trailing  ", "\n", "\t", "\r", "\r\n", "a\rb\r\nc\n", "<", ">", "&", "]]>",
            "<![CDATA[",
            "<!-- -->", "&lt;", "&amp;amp;", "\"'", "\u{1}", "\u{8}x", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}",
            "\u{A0}", "\u{2028}\u{2029}", "\u{FEFF}bom", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{10FFFF}",
            "e\u{301}", "\u{e9}", "日本", "👩‍👩‍👧", "<?xml?>", "form=\"base64\"", String(repeating: "long ", count: 14_000),
        ] + (1...32).compactMap { Unicode.Scalar($0 as UInt32) }.map { "x\($0)y" }

    static let dates: [Double] = [
        0, 0.5, -0.5, 1e-9, 0.1, 781_000_000.123_456, -63_114_076_800, 252_423_993_600, 8_388_608.000000123, 1e15,
        -1e15,
        1e300, -1e300, 31_494_784_780_800, .greatestFiniteMagnitude,
    ]

    /// Returns a random row of unusual values.
    static func row(_ id: Int64, _ random: inout SeededGenerator) -> [StoredValue] {
        func pick<Element>(_ elements: [Element], _ random: inout SeededGenerator) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }
        let limits: [Int64] = [.min, -1, 0, 1, .max, Int64(random.next() >> 3)]
        let double = Double(bitPattern: random.next())
        let doubles: [Double] = [
            0, -0.0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22, 123456789.125,
            double.isFinite ? double : 5,
        ]
        let small = Int64(Int16.random(in: .min ... .max, using: &random))
        let values: [StoredValue] = [
            .string(pick(texts, &random)), .integer(small),
            .integer(Int64(Int32.random(in: .min ... .max, using: &random))),
            .integer(pick(limits, &random)), .double(pick(doubles, &random)),
            .decimal(ScaledDecimal(unscaled: pick(limits, &random), scale: 2)),
            .decimal(ScaledDecimal(unscaled: pick(limits, &random), scale: 18)), .boolean(random.next() & 1 == 0),
            .date(Date(timeIntervalSinceReferenceDate: pick(dates, &random)).roundedToNanosecond()),
            Day("2000-02-29").map(StoredValue.day) ?? .null,
            TimeOfDay(nanosecondsSinceMidnight: Int64(random.next() % 86_400_000_000_000)).map(StoredValue.timeOfDay)
                ?? .null,
            .uuid(UUID()),
            .binary(Data((0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) })),
            .integer(id % 3 + 1),
        ]
        return values.map { random.next() % 5 == 0 ? .null : $0 }
    }

    /// Returns a random store of unusual values.
    static func contents(seed: UInt64, count: Int64 = 60) throws -> InMemoryContents {
        var random = SeededGenerator(seed: seed)
        let ids = (1...count).map { $0 * $0 }
        let things = ids.map { StoredRow(id: $0, version: Int64(random.next() >> 2), values: row($0, &random)) }
        let owners = (1...3).map { StoredRow(id: $0, values: [.string("owner \($0)")]) }
        let pairs = Set((0..<40).map { _ in JoinPair(source: ids.randomElement(using: &random) ?? 1, target: 1) })
        return InMemoryContents(
            try model(), rows: ["Owner": owners, "Thing": things], marks: ["Thing": 1 << 40],
            pairs: [
                "Thing_parts": pairs.map { JoinRow($0, sourcePosition: $0.source % 2 == 0 ? nil : -$0.source) },
                "Thing_peers": pairs.map { JoinRow(JoinPair(source: 1, target: $0.source)) },
            ], metadata: Dictionary(texts.prefix(40).map { ($0, $0) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension FileKind {
    /// Returns a store as a file.
    func bytes(_ contents: InMemoryContents, _ title: StoreTitle) throws -> [UInt8] {
        let output = MemoryOutput()
        try format.write(contents, title, to: output)
        return output.bytes
    }

    /// Returns the store that a file contains.
    func decoded(_ bytes: [UInt8], _ model: ManagedObjectModel) throws -> DecodedStore {
        try DecodedStore(bytes, format, path: "file", comparedWith: model)
    }
}
