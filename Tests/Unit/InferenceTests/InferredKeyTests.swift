import StrataCore
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import Testing

@testable import StrataInference

/// Inferred keys and references, and their reasons.
@Suite("Keys and references inferred from data")
struct InferredKeyTests {
    @Test(
        "a column is inferred as key if the column is unique, is never null and has a typical name",
        arguments: [
            ("id,name\n1,a\n2,b\n", "id"), ("name,person_no\na,5\nb,3\n", "person_no"),
            ("code,name\nx,a\ny,b\n", "code"),
            ("personid,name\n7,a\n9,b\n", "personid"), ("id,name\n1,a\n1,b\n", nil), ("id,name\n1,a\n,b\n", nil),
            ("name,age\na,1\nb,2\n", nil), ("id,name\n1.5,a\n2.5,b\n", nil),
        ] as [(String, String?)])
    func keys(text: String, key: String?) throws {
        let data = try InferredData(["people": text.replacing("person", with: "people")])
        #expect(data.inferred.report.entities[0].key?.columns.first == key?.replacing("person", with: "people"))
        #expect(
            try data.roundTrip(text.replacing("person", with: "people")) == text.replacing("person", with: "people"))
    }

    @Test("a reference is inferred if all values exist in the key and the column name matches")
    func references() throws {
        let countries = "code,name\nde,Germany\nfr,France\n"
        let people = "id,name,country_code\n1,Anna,de\n2,Bert,\n3,Carl,fr\n"
        let data = try InferredData(["countries": countries, "people": people])
        let references = data.inferred.report.entities[1].references
        #expect(references.map(\.column) == ["country_code"] && references.map(\.to) == ["countries.code"])
        let container = try PersistentContainer(model: data.inferred.file.model, .inMemory, mainQueue: .private)
        #expect(try data.roundTrip(countries, 0, in: container) == countries)
        #expect(try data.roundTrip(people, 1, in: container) == people)
        let person = try data.inferred.file.model.entity(named: data.inferred.report.entities[1].name)
        #expect(person.relationships.count == 1)
    }

    @Test(
        "a column with the name of another dataset's key is inferred as key only if it is the first column"
    )
    func keysOfOthers() throws {
        let countries = "code,name\nde,Germany\nfr,France\n"
        let airports = "iata,country_code\nBER,de\nCDG,fr\n"
        let data = try InferredData(["countries": countries, "airports": airports])
        let airport = data.inferred.report.entities[1]
        #expect(airport.key == nil && airport.references.map(\.to) == ["countries.code"])
        let container = try PersistentContainer(model: data.inferred.file.model, .inMemory, mainQueue: .private)
        #expect(try data.roundTrip(countries, 0, in: container) == countries)
        #expect(try data.roundTrip(airports, 1, in: container) == airports)
        let alone = try InferredData(["airports": airports])
        #expect(alone.inferred.report.entities[0].key?.columns == ["country_code"])
        let more = try InferredData(["countries": countries, "areas": "country_code,area\nfr,2\nde,1\n"])
        #expect(more.inferred.report.entities[1].key?.columns == ["country_code"])
    }

    @Test("a column is not a reference if only its name or only its values match, and a note reports missing values")
    func noReferences() throws {
        let data = try InferredData([
            "genres": "id,name\n1,a\n2,b\n3,c\n", "tracks": "id,genre_id,rating\n1,3,1\n2,5,2\n3,4,3\n",
        ])
        #expect(data.inferred.report.entities[1].references.isEmpty)
        #expect(
            data.inferred.report.entities[1].notes.contains(
                "genre_id is named like a reference to genres, whose key id does not contain 2 of its values, from "
                    + "line 3 on: no reference"
            ))
    }

    @Test("references are inferred for any order of datasets, and for keys with gaps or in any order")
    func order() throws {
        let parents = "id,name\n900,a\n5,b\n77,c\n"
        let children = "id,parent_id\n1,77\n2,5\n3,900\n4,5\n"
        for tables: KeyValuePairs in [
            ["parents": parents, "children": children], ["children": children, "parents": parents],
        ] {
            let data = try InferredData(tables)
            let child = try #require(data.inferred.report.entities.first { $0.source == "children.csv" })
            #expect(child.references.map(\.to) == ["parents.id"])
        }
    }

    @Test(
        "no reference is inferred, and a note is reported, if a column may contain counts or positions",
        arguments: [
            // Counts, Boolean values, positions, and numbers that no name assigns to a dataset.
            ("orders", "id", "orders", [1, 2, 2], "the name can also mean a count"),
            ("orders", "id", "open orders", [1, 2, 2], "the name can also mean a count"),
            ("customers", "id", "is_customer", [1, 1, 1], "the name can also mean a count"),
            ("orders", "id", "order", [2, 1, 3], "the values are the numbers from 1 on, like positions"),
            (
                "log", "line_no", "line_no", [1, 2, 1],
                "the values are the numbers from 1 on, and no name indicates log"
            ),
            // Unambiguous references: to an order, to an order line, and by a role.
            ("orders", "id", "order", [2, 2, 3], nil), ("orders", "id", "order_id", [1, 2, 3], nil),
            ("order_lines", "line_no", "line_no", [1, 2, 1], nil), ("log", "line_no", "last_line_no", [1, 2, 1], nil),
            ("status", "id", "status", [1, 2, 1], nil), ("profiles", "user_id", "user_id", [1, 2, 1], nil),
        ] as [(String, String, String, [Int], String?)])
    func doubts(table: String, key: String, column: String, values: [Int], doubt: String?) throws {
        let rows = values.enumerated().map { "\($0 + 7),\($1)\n" }.joined()
        let data = try InferredData([table: "\(key),t\n1,a\n2,b\n3,c\n4,d\n", "things": "id,\(column)\n\(rows)"])
        let things = data.inferred.report.entities[1]
        #expect(things.references.map(\.to) == (doubt == nil ? ["\(table).\(key)"] : []))
        let note = doubt.map {
            "\(column) is named like a reference to \(table), and all its values are there, but \($0): not a reference, unless the model file declares it"
        }
        #expect(things.notes == (note.map { [$0] } ?? []))
    }

    @Test(
        "exactly one of two tables with the same key gets a reference to the other table"
    )
    func sameKeys() throws {
        let both = "key\n1\n2\n"
        for (first, second, key, references) in [
            ("patients", "insurances", "patient_id", ["", "patients.patient_id"]),
            ("insurances", "patients", "patient_id", ["patients.patient_id", ""]),
            ("profiles", "settings", "user_id", ["", "profiles.user_id"]),
        ] {
            let text = both.replacing("key", with: key).replacing("\n", with: ",x\n")
            let data = try InferredData([first: text, second: text])
            #expect(data.inferred.report.entities.map { $0.references.first?.to ?? "" } == references)
        }
    }

    @Test("a reference to a key that the user declares is inferred")
    func givenReferences() throws {
        let data = try InferredData([
            "posts": "id,user_login\n1,bo\n2,bo\n3,al\n", "users": "id,login\n1,al\n2,bo\n",
        ]) { $0.keys = ["users": "login"] }
        #expect(data.inferred.report.entities[0].references.map(\.to) == ["users.login"])
    }

    @Test("a reference to a key of another type is not inferred, and the report contains the reason")
    func otherTypes() throws {
        let data = try InferredData(["order": "order_no\nB-1\nB-2\n", "group": "id,order\n1,2\n2,1\n"])
        #expect(
            data.inferred.report.entities[1].notes == [
                "order is named like a reference to order, whose key order_no is text, not integer: no reference"
            ])
    }

    @Test("a table that contains only two references is inferred as a join table")
    func links() throws {
        let data = try InferredData([
            "articles": "id,title\n1,x\n2,y\n", "tags": "id,word\n1,a\n2,b\n",
            "article_tags": "article_id,tag_id\n1,1\n1,2\n2,1\n",
        ])
        #expect(data.inferred.file.model.joins.count == 1)
        #expect(data.inferred.file.model.entities.count == 2)
        #expect(
            data.inferred.report.entities[2].notes == [
                "join rows have no order of their own: they are written in the order of articles"
            ])
    }

    @Test("a key with a number that cannot be an identifier, such as 0, is not used as the identifier")
    func zero() throws {
        let text = "id,name\n0,a\n1,b\n"
        let data = try InferredData(["t": text])
        let entity = data.inferred.file.model.entities[0]
        #expect(entity.external.identifiers == .own)
        #expect(try data.roundTrip(text) == text)
    }

    @Test("a column that the user declares as key becomes the key, or is rejected with the reason")
    func given() throws {
        let data = try InferredData(["t": "a,b\n5,x\n6,x\n"]) { $0.keys = ["t": "a"] }
        #expect(data.inferred.report.entities[0].key?.columns == ["a"])
        for (key, message) in [
            ("b", "t.b cannot be a key: \"x\" occurs again on line 3"), ("c", "t has no column \"c\""),
        ] {
            let error = try #require(throws: InterchangeError.self) {
                _ = try InferredData(["t": "a,b\n5,x\n6,x\n"]) { $0.keys = ["t": key] }
            }
            #expect(error.message.hasPrefix(message))
        }
    }

    @Test("a set of 5,000 distinct values recognizes new and repeated values")
    func distinct() {
        let memory = KeyMemory()
        var values = DistinctValues()
        for value in UInt64(0)..<5000 {
            guard case .new = values.insert(value &* 0x9E37_79B9_7F4A_7C15, line: Int(value), memory) else {
                Issue.record("\(value) is taken for an old one")
                return
            }
        }
        #expect(values.count == 5000 && values.all.count == 5000)
        #expect((0..<5000).allSatisfy { values.contains(UInt64($0) &* 0x9E37_79B9_7F4A_7C15) })
        #expect(!values.contains(1))
        guard case .repeated = values.insert(0, line: 1, memory) else {
            Issue.record("0 is taken for a new one")
            return
        }
    }
}
