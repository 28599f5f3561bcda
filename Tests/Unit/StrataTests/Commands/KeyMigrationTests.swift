import Foundation
import Testing

/// Migrations that move values between the identifier, attributes and references, and keep the values or fail.
@Suite("Migrations of keys")
struct KeyMigrationTests {
    /// A model with teams and persons, as a model file.
    struct Model: Sendable {
        var teamFields = [("code", "string"), ("title", "string")]
        var teamKey: [String] = ["code"]
        var personFields = [("id", "integer"), ("team", "string")]
        var personKey: [String] = ["id"]
        /// The properties of the resources for the row layout, as JSON members.
        var layout = ""
        /// The columns of the reference to a team, or none.
        var reference: [String] = []

        var text: String {
            func list(_ names: [String]) -> String { "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
            func schema(_ fields: [(String, String)], _ key: [String]) -> String {
                let list = fields.map { "{\"name\":\"\($0.0)\",\"type\":\"\($0.1)\"}" }.joined(separator: ",")
                return "\"fields\":[\(list)]" + (key.isEmpty ? "" : ",\"primaryKey\":" + keys(key))
            }
            func keys(_ key: [String]) -> String { list(key) }
            let target = "{\"resource\":\"team\",\"fields\":\(list(teamKey))}"
            let foreign =
                reference.isEmpty ? "" : ",\"foreignKeys\":[{\"fields\":\(list(reference)),\"reference\":\(target)}]"
            return """
                {"resources":[{"name":"team","path":"team.csv"\(layout),"schema":{\(schema(teamFields, teamKey))}},
                {"name":"person","path":"person.csv"\(layout),"schema":{\(schema(personFields, personKey))\(foreign)}}]}
                """
        }
    }

    /// Two models for the same files.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: Model
        let after: Model
        var teams = "code,title\nA,Alpha\nB,Beta\n"
        var persons = "id,team\n1,A\n2,B\n3,\n7,A\n"

        static let texts = Model()
        static let all: [Change] = {
            let composite = Model(
                teamFields: [("year", "integer"), ("no", "integer")], teamKey: ["year", "no"],
                personFields: [("id", "integer"), ("team_year", "integer"), ("team_no", "integer")])
            let numbered = Model(
                teamFields: [("id", "integer"), ("title", "string")], teamKey: ["id"],
                personFields: [("id", "integer"), ("team", "integer")])
            func changed(_ model: Model, _ change: (inout Model) -> Void) -> Model {
                var model = model
                change(&model)
                return model
            }
            let (compositeTeams, compositePersons) = (
                "year,no\n2020,1\n2020,2\n2021,1\n",
                "id,team_year,team_no\n1,2020,2\n2,2021,1\n3,,\n4,2020,2\n"
            )
            let (numberedTeams, numberedPersons) = ("id,title\n5,E\n9,I\n", "id,team\n1,9\n2,5\n3,\n4,9\n")
            let own = #","strata:ids":"own""#
            let referring = changed(numbered) {
                $0.reference = ["team"]
                $0.personFields.append(("title", "string"))
            }
            let (fallingTeams, fallingPersons) = (
                "id,title\n9,I\n2,B\n5,E\n", "id,team,title\n8,5,a\n1,9,b\n4,,c\n3,2,d\n"
            )
            return [
                Change(
                    testDescription: "the key becomes a column", before: texts,
                    after: changed(texts) { $0.personKey = [] }),
                Change(
                    testDescription: "the key becomes a column of texts", before: texts,
                    after: changed(texts) {
                        $0.personKey = []
                        $0.personFields[0].1 = "string"
                    }),
                Change(
                    testDescription: "the key moves to another column",
                    before: changed(texts) { $0.personFields.append(("name", "string")) },
                    after: changed(texts) {
                        $0.personFields.append(("name", "string"))
                        $0.personKey = ["name"]
                    }, persons: "id,team,name\n1,A,x\n2,B,y\n3,,z\n7,A,w\n"),
                Change(
                    testDescription: "the key of a row that others refer to becomes a column",
                    before: changed(numbered) { $0.reference = ["team"] },
                    after: changed(numbered) {
                        $0.teamKey = ["title"]
                        $0.reference = []
                    }, teams: numberedTeams, persons: numberedPersons),
                Change(
                    testDescription: "a column of texts becomes a reference", before: texts,
                    after: changed(texts) { $0.reference = ["team"] }),
                Change(
                    testDescription: "a reference by a text becomes a column",
                    before: changed(texts) { $0.reference = ["team"] }, after: texts),
                Change(
                    testDescription: "two columns become a reference", before: composite,
                    after: changed(composite) { $0.reference = ["team_year", "team_no"] }, teams: compositeTeams,
                    persons: compositePersons),
                Change(
                    testDescription: "a reference by two columns becomes columns",
                    before: changed(composite) { $0.reference = ["team_year", "team_no"] }, after: composite,
                    teams: compositeTeams, persons: compositePersons),
                Change(
                    testDescription: "a column of numbers becomes a reference", before: numbered,
                    after: changed(numbered) { $0.reference = ["team"] }, teams: numberedTeams,
                    persons: numberedPersons),
                Change(
                    testDescription: "a reference by a number becomes a column",
                    before: changed(numbered) { $0.reference = ["team"] }, after: numbered, teams: numberedTeams,
                    persons: numberedPersons),
                Change(
                    testDescription: "a column becomes the identifier",
                    before: changed(referring) { $0.layout = own },
                    after: changed(referring) { $0.layout = #","strata:ids":"file","strata:order":"file""# },
                    teams: fallingTeams,
                    persons: fallingPersons),
                Change(
                    testDescription: "a column becomes the identifier, and rows are in its order",
                    before: changed(numbered) {
                        $0.layout = own
                        $0.reference = ["team"]
                    },
                    after: changed(numbered) {
                        $0.layout = #","strata:ids":"file","strata:order":"key""#
                        $0.reference = ["team"]
                    }, teams: numberedTeams, persons: numberedPersons),
            ]
        }()
    }

    private let folder = TemporaryFolder()

    private func strata(_ words: String...) throws -> Tool.Result { try Tool.debug.run(words, in: folder) }

    private func prepare(_ change: Change, _ store: String) throws {
        try folder.write(change.teams, to: "team.csv")
        try folder.write(change.persons, to: "person.csv")
        try folder.write(change.before.text, to: "before.json")
        try folder.write(change.after.text, to: "after.json")
        try strata("import", "-q", "team.csv", "person.csv", "--model", "before.json", "--store", store)
            .expect(status: 0)
    }

    private func export(_ entity: String, _ store: String) throws -> String {
        let result = try strata("export", "--entity", entity, "--store", store)
        result.expect(status: 0)
        return result.output
    }

    @Test(
        "a migration that moves values between keys, columns and references keeps every value", arguments: Change.all,
        ["s.sqlite", "s.stxml", "s.stbin"])
    func values(_ change: Change, _ store: String) throws {
        try prepare(change, store)
        try strata("model", "check", "after.json", "--against", store).expect(status: 0)
        try strata("migrate", "--store", store, "--model", "after.json").expect(status: 0)
        #expect(try export("team", store) == change.teams)
        #expect(try export("person", store) == change.persons)
        #expect(try strata("check", "--store", store).output == "ok\n")
        // The store equals a new one: the same import changes nothing, and new rows are checked.
        try strata("import", "-q", "team.csv", "--entity", "team", "--store", store, "--on-conflict", "update")
            .expect(status: 0)
        #expect(try export("team", store) == change.teams)
    }

    @Test(
        "a migration reports a reference value that is not the key of a row, and changes nothing",
        arguments: ["s.sqlite", "s.stxml"])
    func dangling(_ store: String) throws {
        var change = Change.all[4]
        change.persons = "id,team\n1,A\n2,none\n3,\n4,none\n"
        try prepare(change, store)
        let result = try strata("migrate", "--store", store, "--model", "after.json")
        #expect(result.status != 0)
        #expect((result.output + result.errors).contains("has the key “none”, which no Team has"))
        #expect(try export("person", store) == change.persons)
        #expect(try strata("model", "check", "after.json", "--against", store).status != 0)
    }

    @Test("a migration identifies a row that breaks a rule of the new model by the key of the file")
    func names() throws {
        var change = Change.all[0]
        change.teams = "code,title\nA,Alpha\nB,\n"
        try prepare(change, "s")
        try folder.write(
            change.before.text.replacing(
                #""title","type":"string""#, with: #""title","type":"string","constraints":{"required":true}"#),
            to: "after.json")
        let result = try strata("migrate", "--store", "s", "--model", "after.json")
        #expect(result.status != 0)
        #expect((result.output + result.errors).contains("1 row, Team code “B”"), "\(result.output)\(result.errors)")
    }

    @Test("a migration that removes a column of a composite reference reports the lost values")
    func partOfKey() throws {
        var change = Change.all[7]
        change.persons = "id,team_year,team_no\n1,2020,2\n2,2021,1\n"
        try prepare(change, "s")
        try folder.write(
            change.after.text.replacing(#",{"name":"team_no","type":"integer"}"#, with: ""), to: "after.json")
        let result = try strata("migrate", "--store", "s", "--model", "after.json")
        #expect(result.status != 0)
        #expect((result.output + result.errors).contains("(2 values)"), "\(result.output)\(result.errors)")
        #expect(try export("person", "s") == change.persons)
    }

    @Test("the printed steps of a migration include changes of keys")
    func steps() throws {
        for (number, step) in [
            (0, "change-key Person.id"), (4, "make-reference Person.team"), (5, "make-attribute Person.team"),
            (10, "make-identifier Team.id"),
        ] {
            let store = "s\(number)"
            try prepare(Change.all[number], store)
            let result = try strata("migrate", "--store", store, "--model", "after.json", "--dry-run")
            result.expect(status: 0)
            #expect((result.output + result.errors).contains(step), "\(result.output)\(result.errors)")
        }
    }

    @Test("a migration reports a dropped attribute with its external column name", arguments: ["s.sqlite", "s.stbin"])
    func drops(_ store: String) throws {
        func model(_ fields: String, _ more: String) -> String {
            """
            {"resources":[{"name":"item","path":"item.csv","schema":{"fields":[\(fields)]\(more)}}]}
            """
        }
        let price = #"{"name":"Preis (EUR)","type":"integer"}"#
        let id = #"{"name":"Nr","type":"integer"}"#
        let name = #"{"name":"name","type":"string"}"#
        try folder.write(model("\(id),\(name),\(price)", #","primaryKey":"Nr""#), to: "before.json")
        try folder.write(model(name, ""), to: "after.json")
        try folder.write("Nr,name,Preis (EUR)\n4,a,1\n6,b,2\n", to: "item.csv")
        try strata("import", "-q", "item.csv", "--model", "before.json", "--store", store).expect(status: 0)
        func migrate(_ words: String...) throws -> Tool.Result {
            try Tool.debug.run(["migrate", "--store", store, "--model", "after.json"] + words, in: folder)
        }
        let refused = try migrate()
        #expect(refused.status != 0)
        #expect(refused.output.contains("remove Item.Nr\nremove Item.Preis (EUR)\n"), "\(refused.output)")
        #expect(refused.errors.contains("Item.Nr (2 values), Item.Preis (EUR) (2 values)"), "\(refused.errors)")
        let part = try migrate("--drop", "Item.Preis (EUR)")
        #expect(part.status != 0)
        #expect(part.errors.contains("Item.Nr (2") && !part.errors.contains("Item.Preis"), "\(part.errors)")
        try migrate("--drop", "Item.Preis (EUR)", "--drop", "Item.Nr").expect(status: 0)
        #expect(try export("item", store) == "name\na\nb\n")
    }
}
