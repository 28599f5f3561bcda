import Foundation
import PersistenceTestSupport
import StrataPersistence
import Testing

/// The uniqueness constraints and indexes over several attributes that a model may have, and their comparison with a
/// store's.
@Suite("Uniqueness constraints and indexes of a model")
struct ModelKeysTests {
    private static func seat(
        uniquenessConstraints: [[String]] = [], indexes: [[String]] = []
    ) -> [EntityDescription] {
        [
            EntityDescription(
                "Seat",
                [
                    .attribute(.init("row", .string)), .attribute(.init("number", .integer64)),
                    .relationship(.init("room", to: "Room", .toOne, inverse: "seats")),
                    .relationship(.init("guests", to: "Room", .toMany, inverse: "guest")),
                    .relationship(.init("key", to: "Room", .toOne, inverse: "keeper", ownsForeignKey: false)),
                ], uniquenessConstraints: uniquenessConstraints, indexes: indexes),
            EntityDescription(
                "Room",
                [
                    .relationship(.init("seats", to: "Seat", .toMany, inverse: "room")),
                    .relationship(.init("guest", to: "Seat", .toOne, inverse: "guests")),
                    .relationship(.init("keeper", to: "Seat", .toOne, inverse: "key")),
                ]),
        ]
    }

    static let invalid: [([[String]], message: String)] = [
        (
            [[]],
            "Seat: the WHAT () has fewer than two names; declare the uniqueness of one attribute at the attribute "
                + "itself"
        ),
        (
            [["row"]],
            "Seat: the WHAT (row) has fewer than two names; declare the uniqueness of one attribute at the "
                + "attribute itself"
        ),
        ([["row", "colour"]], "Seat.colour: the WHAT (row, colour) names no property of the entity"),
        ([["row", "id"]], "Seat.id: the WHAT (row, id) names no property of the entity"),
        ([["Row", "number"]], "Seat.Row: the WHAT (Row, number) names no property of the entity"),
        ([["row", "number", "row"]], "Seat.row: the WHAT (row, number, row) has the name twice"),
        ([["row", "guests"]], "Seat.guests: the WHAT (row, guests) names a relationship without a column"),
        ([["key", "row"]], "Seat.key: the WHAT (key, row) names a relationship without a column"),
        (
            [["row", "number"], ["row", "room"], ["row", "number"]],
            "Seat: the WHAT (row, number) is declared twice"
        ),
    ]

    @Test(
        "an invalid list of names for a uniqueness constraint or an index is rejected with the reason",
        arguments: invalid)
    func refused(_ lists: [[String]], _ message: String) throws {
        let constraint = try persistenceError { _ = try ManagedObjectModel(Self.seat(uniquenessConstraints: lists)) }
        #expect(constraint.code == .invalidModel)
        #expect("\(constraint)" == message.replacing("WHAT", with: "uniqueness constraint"))
        let index = try persistenceError { _ = try ManagedObjectModel(Self.seat(indexes: lists)) }
        #expect(index.code == .invalidModel && index.entity == "Seat")
        #expect("\(index)" == message.replacing("WHAT", with: "index"))
    }

    @Test("two indexes with the same names in a different order are valid, but two such constraints are rejected")
    func order() throws {
        let lists = [["row", "number"], ["number", "row"]]
        let error = try persistenceError { _ = try ManagedObjectModel(Self.seat(uniquenessConstraints: lists)) }
        #expect("\(error)" == "Seat: the uniqueness constraint (number, row) is declared twice")
        let model = try ManagedObjectModel(Self.seat(indexes: lists))
        #expect(model["Seat"]?.indexes == lists)
    }

    @Test("a model and its entities contain the declared uniqueness constraints and indexes")
    func carried() throws {
        let model = try ManagedObjectModel(
            Self.seat(uniquenessConstraints: [["row", "room"]], indexes: [["number", "row"]]))
        let seat = try model.entity(named: "Seat")
        #expect(seat.uniquenessConstraints == [["row", "room"]] && seat.indexes == [["number", "row"]])
        #expect(seat.uniqueKeys.map { $0.name(in: seat) } == ["row, room"])
        let room = try model.entity(named: "Room")
        #expect(room.uniqueKeys.map { $0.name(in: room) } == ["keeper"], "one-to-one")
        let ticket = try Theatre.model().entity(named: "Ticket")
        #expect(ticket.uniquenessConstraints == [["year", "number"], ["show", "seat"]])
        #expect(ticket.indexes == [["note", "price"]])
        #expect(EntityDescription("A", []).uniquenessConstraints == [] && EntityDescription("A", []).indexes == [])
    }

    @Test("a model is rejected if a record type's uniqueness constraint names an unknown property")
    func recordEntity() throws {
        struct Ghost: PersistentRecord {
            let id: RecordID<Ghost>
            var name: String
            static let entity = RecordEntity<Ghost>(
                "Ghost", id: \.id, [.attribute("name", \.name)], uniquenessConstraints: [["name", "house"]]
            ) { Ghost(id: try $0.id(), name: try $0.next()) }
        }
        let error = try persistenceError { _ = try ManagedObjectModel(records: [Ghost.self]) }
        #expect("\(error)" == "Ghost.house: the uniqueness constraint (name, house) names no property of the entity")
    }

    @Test(
        "a model's JSON contains its constraints and indexes, and a comparison of models reports their differences"
    )
    func image() throws {
        let plain = try ManagedObjectModel(Self.seat())
        let json = try plain.json()
        #expect(!json.contains("uniquenessConstraints"))
        #expect(!json.contains("indexes"))
        let model = try ManagedObjectModel(
            Self.seat(uniquenessConstraints: [["row", "number"], ["row", "room"]], indexes: [["number", "row"]]))
        #expect(try model.differences(fromJSON: model.json()) == [])
        #expect(
            try model.differences(fromJSON: json) == [
                "the uniqueness constraints of Seat are none in the store, (row, number), (row, room) in the model",
                "the indexes of Seat are none in the store, (number, row) in the model",
            ])
        #expect(try model.entityHashes()["Seat"] != plain.entityHashes()["Seat"])
        #expect(try model.entityHashes()["Room"] == plain.entityHashes()["Room"])
    }
}
