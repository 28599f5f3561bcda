import Foundation
import StrataDomain
import StrataFixtures
import StrataReferenceFixtures
import Testing

@Suite("Records of custom types")
struct FixtureRecordTests {
    /// One field of every type.
    struct Everything: FixtureRecord, Equatable {
        let id: Identifier<Everything>
        var text: String
        let count: Int
        let small: Int16
        let medium: Int32
        let large: Int64
        let price: Decimal
        let isTrue: Bool
        let date: Date
        let uuid: UUID
        let color: HexColor
        let colorText: String
        let note: String?
        let number: Int?
        let parent: Identifier<Everything>?
        let owner: Identifier<Owner>

        static let fixtureEntity = FixtureEntity(
            "Everything",
            [
                FixtureField("text", type: .text, generator: .kind(.itemName)),
                FixtureField("count", type: .integer, generator: .uniform(1...9)),
                FixtureField("price", type: .decimal(scale: 3), generator: .uniform(0...1)),
                FixtureField("isTrue", type: .boolean, generator: .chance(.percent(50))),
                FixtureField(
                    "date", type: .date,
                    generator: .dates(
                        from: FixtureInstant.range.lowerBound, to: nil, weekdays: nil, precision: .second)),
                FixtureField("uuid", type: .uuid, generator: .kind(.uuid)),
                FixtureField("color", type: .color, generator: .kind(.hexColor)),
                FixtureField("note", type: .text, generator: .kind(.fullName), nulls: .percent(50)),
                FixtureField("number", type: .integer, generator: .uniform(1...9), nulls: .percent(50)),
                .reference("parent", to: "Everything", without: .percent(50)),
                .reference("owner", to: "Owner", isOptional: false),
            ], count: 40)

        init(fixture row: FixtureRow) throws {
            id = try row.identifier()
            text = try row["text"]
            count = try row["count"]
            small = try row["count"]
            medium = try row["count"]
            large = try row["count"]
            price = try row["price"]
            isTrue = try row["isTrue"]
            date = try row["date"]
            uuid = try row["uuid"]
            color = try row["color"]
            colorText = try row["color"]
            note = try row["note"]
            number = try row["number"]
            parent = try row["parent"]
            owner = try row["owner"]
        }
    }

    struct Owner: FixtureRecord, Equatable {
        let fixtureValues: [String: FixtureValue]
        static let fixtureEntity = FixtureEntity("Owner", [], count: 3)
        init(fixture row: FixtureRow) throws { fixtureValues = row.values }
    }

    /// A type that reads missing fields and fields of another type.
    struct Wrong: FixtureRecord {
        static let fixtureEntity = FixtureEntity(
            "Wrong",
            [
                FixtureField("text", type: .text, generator: .kind(.itemName)),
                FixtureField("big", type: .integer, generator: .uniform(100_000...100_001)),
                FixtureField("none", type: .integer, generator: .uniform(1...2), nulls: .percent(100)),
            ])
        init(fixture row: FixtureRow) throws {}
    }

    static func fixtures() throws -> Fixtures { try Fixtures(seed: 5, for: Everything.self, Owner.self) }

    @Test("records have the values of their rows, and optional values are sometimes null")
    func records() throws {
        let fixtures = try Self.fixtures()
        let records = try fixtures.records(Everything.self)
        #expect(records.count == 40)
        for (index, record) in records.enumerated() {
            let row = try fixtures.row(of: "Everything", at: index)
            #expect(record.id.rawValue == row.id && row.id == Int64(index) + 1)
            #expect(row.values["text"] == .text(record.text))
            #expect(row.values["price"] == .decimal(record.price))
            #expect(row.values["date"] == .date(record.date))
            #expect(row.values["color"] == .text(record.colorText) && record.color.rawValue == record.colorText)
            #expect(row.values["note"] == record.note.map { .text($0) } ?? .null)
            #expect((1...3).contains(record.owner.rawValue))
            #expect(Int(record.small) == record.count && Int(record.medium) == record.count)
            #expect(record.large == Int64(record.count))
        }
        for exists in [true, false] {
            #expect(records.contains { ($0.note != nil) == exists })
            #expect(records.contains { ($0.parent != nil) == exists })
            #expect(records.contains { $0.isTrue == exists })
        }
    }

    @Test("a record has the given values, and its other values are generated")
    func given() throws {
        let fixtures = try Self.fixtures()
        let usual = try fixtures.record(Everything.self, at: 7)
        let record = try fixtures.record(
            Everything.self, at: 7,
            with: ["note": "given", "number": .null, "price": 3, "color": "#AbC", "owner": 999])
        #expect(record.note == "given" && record.number == nil && record.price == 3 && record.owner.rawValue == 999)
        #expect(record.text == usual.text && record.uuid == usual.uuid && record.parent == usual.parent)
        let changed: Everything = try fixtures.record(at: 7, with: ["note": "given"]) { $0.text += "!" }
        #expect(changed.text == usual.text + "!" && changed.note == "given")
    }

    @Test("a generated value that depends on a given value is computed from the given value")
    func markup() throws {
        let item: Item = try Fixtures(seed: 5).record(with: ["unitCost": 1_000])
        #expect(item.unitCost == 1_000)
        #expect(item.unitPrice > 1_050 && item.unitPrice < 1_801)
    }

    @Test("invalid attribute values that are given to a generator are rejected with the reason")
    func refused() throws {
        let fixtures = try Self.fixtures()
        func message(_ given: [String: FixtureValue]) -> String {
            do {
                _ = try fixtures.record(Everything.self, with: given)
                return "nothing"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            message(["nam": 1])
                == "Everything.nam: the attribute does not exist; the attributes are text, count, price, isTrue, date, "
                + "uuid, color, note, "
                + "number, parent, owner")
        #expect(message(["text": 1]) == "Everything.text: the value must be a text")
        #expect(message(["text": .null]) == "Everything.text: the attribute is mandatory in the model")
        #expect(message(["color": "blue"]) == "Everything.color: \"blue\" is not a color; use #RGB or #RRGGBB")
        #expect(message(["owner": 0]) == "Everything.owner: 0 is not an identifier; identifiers begin with 1")
    }

    @Test("reading a field as another type throws an error with the field's name")
    func wrongTypes() throws {
        let row = try Fixtures(seed: 5, for: Wrong.self).row(of: "Wrong", at: 0)
        func message<Value: FixtureConvertible>(_ name: String, as type: Value.Type) -> String {
            do throws(FixtureError) {
                let _: Value = try row[name]
                return "nothing"
            } catch {
                return "\(error)"
            }
        }
        #expect(message("text", as: Int.self) == "Wrong.text: a text cannot be read as Int")
        #expect(message("big", as: Int16.self) == "Wrong.big: a whole number cannot be read as Int16")
        #expect(message("big", as: Decimal.self) == "nothing")
        #expect(message("none", as: Int.self) == "Wrong.none: null cannot be read as Int")
        #expect(message("none", as: Int?.self) == "nothing")
        #expect(message("text", as: Int?.self) == "Wrong.text: a text cannot be read as Optional<Int>")
        #expect(
            message("txt", as: String.self) == "Wrong.txt: the attribute does not exist; the attributes are big, "
                + "none, text")
    }

    @Test("a schema without the target of a reference, or with a repeated type, is rejected")
    func missingTarget() {
        #expect(throws: FixtureError.self) { _ = try Fixtures(seed: 1, for: Everything.self) }
        #expect(throws: FixtureError.self) { _ = try Fixtures(seed: 1, for: Owner.self, Owner.self) }
    }
}
