import Foundation
import Testing

/// Tests that every command uses the names and keys of files.
@Suite("Keys of files")
struct FileKeyTests {
    /// A dataset of teams and of persons that refer to them, in another order than that of the keys.
    struct Dataset: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The columns of the key with their descriptor types, and the columns of the reference.
        let key: [(name: String, type: String)]
        let reference: [String]
        let teams: String
        let persons: String
        /// The conditions that select the first team and its persons, and the assignment of that team.
        let isFirst: String
        let refersToFirst: String
        let assignsFirst: String
        /// The records of the first team and of its persons.
        let first: String
        let firstPersons: String

        static let all = [
            Dataset(
                testDescription: "falling numbers", key: [("id", "integer")], reference: ["team"],
                teams: "id,title\n30,C\n20,B\n10,A\n", persons: "id,team\n3,10\n1,30\n2,10\n4,\n", isFirst: "id = 30",
                refersToFirst: "team = 30", assignsFirst: "team = 30", first: "30,C\n", firstPersons: "1,30\n"),
            Dataset(
                testDescription: "numbers from 0", key: [("id", "integer")], reference: ["team"],
                teams: "id,title\n0,C\n1,B\n2,A\n", persons: "id,team\n0,1\n1,0\n2,0\n3,\n", isFirst: "id = 0",
                refersToFirst: "team = 0", assignsFirst: "team = 0", first: "0,C\n", firstPersons: "1,0\n2,0\n"),
            Dataset(
                testDescription: "negative numbers", key: [("id", "integer")], reference: ["team"],
                teams: "id,title\n-5,C\n-7,B\n3,A\n", persons: "id,team\n-1,3\n1,-5\n2,-5\n3,\n", isFirst: "id = -5",
                refersToFirst: "team = -5", assignsFirst: "team = -5", first: "-5,C\n", firstPersons: "1,-5\n2,-5\n"),
            Dataset(
                testDescription: "texts", key: [("id", "string")], reference: ["team"],
                teams: "id,title\nz'q,C\na,B\nm,A\n", persons: "id,team\nx,m\ny,z'q\nw,a\nv,\n",
                isFirst: "id = \"z'q\"", refersToFirst: "team = \"z'q\"", assignsFirst: "team = \"z'q\"",
                first: "z'q,C\n", firstPersons: "y,z'q\n"),
            Dataset(
                testDescription: "numbers as texts", key: [("id", "string")], reference: ["team"],
                teams: "id,title\n010,C\n10,B\n9,A\n", persons: "id,team\n1,10\n2,010\n3,010\n4,\n",
                isFirst: "id = '010'", refersToFirst: "team = '010'", assignsFirst: "team = '010'", first: "010,C\n",
                firstPersons: "2,010\n3,010\n"),
            Dataset(
                testDescription: "a key with another name", key: [("code", "string")], reference: ["team"],
                teams: "code,title\nB,C\nA,B\n", persons: "id,team\n1,A\n2,B\n3,\n", isFirst: "code = 'B'",
                refersToFirst: "team = 'B'", assignsFirst: "team = 'B'", first: "B,C\n", firstPersons: "2,B\n"),
            Dataset(
                testDescription: "a name with spaces and punctuation", key: [("Nr. (neu)", "integer")],
                reference: ["Team, alt"],
                teams: "Nr. (neu),title\n7,C\n5,B\n", persons: "id,\"Team, alt\"\n2,7\n1,5\n3,\n",
                isFirst: "`Nr. (neu)` = 7", refersToFirst: "`Team, alt` = 7", assignsFirst: "`Team, alt` = 7",
                first: "7,C\n", firstPersons: "2,7\n"),
            Dataset(
                testDescription: "two columns", key: [("year", "integer"), ("no", "integer")],
                reference: ["team_year", "team_no"], teams: "year,no,title\n2021,1,C\n2020,2,B\n2020,1,A\n",
                persons: "id,team_year,team_no\n9,2021,1\n2,2020,2\n3,2020,1\n4,,\n", isFirst: "year = 2021 and no = 1",
                refersToFirst: "team_year = 2021 and team_no = 1", assignsFirst: "team_no = 1, team_year = 2021",
                first: "2021,1,C\n", firstPersons: "9,2021,1\n"),
            Dataset(
                testDescription: "a number and a text", key: [("land", "string"), ("id", "integer")],
                reference: ["land", "team"], teams: "land,id,title\nde,2,C\nat,2,B\nde,1,A\n",
                persons: "id,land,team\n60,,\n8,de,2\n7,de,2\n9,at,2\n", isFirst: "land = 'de' and id = 2",
                refersToFirst: "land = 'de' and team = 2", assignsFirst: "land = 'de', team = 2", first: "de,2,C\n",
                firstPersons: "8,de,2\n7,de,2\n"),
        ]

        /// The model file of the dataset; the key `id` of persons has the type of their ids.
        var model: String {
            func field(_ name: String, _ type: String) -> String { "{\"name\":\"\(name)\",\"type\":\"\(type)\"}" }
            func list(_ names: [String]) -> String { "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
            let keyFields = key.map { field($0.name, $0.type) } + [field("title", "string")]
            let idType = persons.contains("x,") ? "string" : "integer"
            let fields = [field("id", idType)] + zip(reference, key).map { field($0, $1.type) }
            return """
                {"resources":[{"name":"team","path":"team.csv","schema":{"fields":[\(keyFields.joined(separator: ","))],
                "primaryKey":\(list(key.map(\.name)))}},{"name":"person","path":"person.csv","schema":{"fields":[
                \(fields.joined(separator: ","))],"primaryKey":["id"],"foreignKeys":[{"fields":\(list(reference)),
                "reference":{"resource":"team","fields":\(list(key.map(\.name)))}}]}}]}
                """
        }

        func header(_ text: String) -> String { String(text.prefix { $0 != "\n" }) + "\n" }

        /// The column names of the header for `--columns`.
        func columns(_ text: String) -> String {
            String(header(text).dropLast()).replacing("\"Team, alt\"", with: "`Team, alt`")
                .replacing("Nr. (neu)", with: "`Nr. (neu)`")
        }
    }

    private let folder = TemporaryFolder()

    private func strata(_ words: String...) throws -> Tool.Result { try Tool.debug.run(words, in: folder) }

    private func prepare(_ dataset: Dataset, _ store: String, isInferred: Bool) throws {
        try folder.write(dataset.teams, to: "team.csv")
        try folder.write(dataset.persons, to: "person.csv")
        try folder.write(dataset.model, to: "m.json")
        let files = ["import", "-q", "team.csv", "person.csv", "--store", store]
        try Tool.debug.run(files + (isInferred ? [] : ["--model", "m.json"]), in: folder).expect(status: 0)
    }

    private func export(_ entity: String, _ store: String, _ words: String...) throws -> String {
        let result = try Tool.debug.run(["export", "--entity", entity, "--store", store] + words, in: folder)
        result.expect(status: 0)
        return result.output
    }

    @Test(
        "show, export, update, delete and import identify rows by the key columns of the imported file",
        arguments: Dataset.all, ["s.sqlite", "s.stxml", "s.stbin"])
    func commands(_ dataset: Dataset, _ store: String) throws {
        try check(dataset, store, isInferred: false)
        guard dataset.key.count == 1, dataset.key[0].type == "integer" else { return }
        try FileManager.default.removeItem(atPath: folder.path(store))
        try check(dataset, store, isInferred: true)
    }

    private func check(_ dataset: Dataset, _ store: String, isInferred: Bool) throws {
        try prepare(dataset, store, isInferred: isInferred)
        let (teams, persons) = (try export("team", store), try export("person", store))
        #expect(teams == dataset.teams)
        #expect(persons == dataset.persons)
        #expect(try export("team", store, "--columns", dataset.columns(dataset.teams)) == teams)
        #expect(try export("person", store, "--columns", dataset.columns(dataset.persons)) == persons)
        #expect(
            try export("team", store, "--where", dataset.isFirst) == dataset.header(teams) + dataset.first)
        #expect(
            try export("person", store, "--where", dataset.refersToFirst)
                == dataset.header(persons) + dataset.firstPersons)
        // An export has the same data with any columns.
        try folder.write(try export("person", store, "--columns", dataset.columns(persons)), to: "part.csv")
        try strata("import", "-q", "part.csv", "--entity", "person", "--store", store, "--on-conflict", "update")
            .expect(status: 0)
        #expect(try export("person", store) == persons)
        try strata("update", "-q", "--entity", "person", "--store", store, "--set", dataset.assignsFirst, "--all")
            .expect(status: 0)
        let updated = try export("person", store, "--where", dataset.refersToFirst)
        #expect(updated.count(where: \.isNewline) == persons.count(where: \.isNewline))
        try strata("delete", "-q", "--entity", "person", "--store", store, "--all").expect(status: 0)
        try strata("delete", "-q", "--entity", "team", "--store", store, "--where", dataset.isFirst).expect(status: 0)
        #expect(try export("team", store) == teams.replacing(dataset.first, with: ""))
    }

    @Test("a reference to a key that no row has is an error and changes nothing")
    func missingKey() throws {
        try prepare(Dataset.all[3], "s", isInferred: false)
        let result = try strata(
            "update", "--entity", "person", "--store", "s", "--set", "team = 'none'", "--all")
        result.expect(status: 65)
        #expect(result.errors.contains("no Team has id “none”"))
        #expect(try export("person", "s") == Dataset.all[3].persons)
    }

    @Test("one column of a two-column reference cannot be set alone")
    func partOfKey() throws {
        try prepare(Dataset.all[7], "s", isInferred: false)
        let result = try strata(
            "update", "--entity", "person", "--store", "s", "--set", "team_no = 1", "--all")
        result.expect(status: 64)
        #expect(result.errors.contains("option --set: team_year, team_no form one key; set all of them"))
        try strata(
            "update", "-q", "--entity", "person", "--store", "s", "--set", "team_no = null, team_year = null", "--all"
        ).expect(status: 0)
        #expect(try export("person", "s") == "id,team_year,team_no\n9,,\n2,,\n3,,\n4,,\n")
    }

    @Test("_row is the number of a row, and a column named _row is written with backticks")
    func rowNumbers() throws {
        try folder.write("_row,name\nx,a\ny,b\n", to: "box.csv")
        let note = "Box has a column _row: write it as `_row`, in backticks; _row is the number of the row\n"
        let first = try strata("import", "box.csv", "--store", "s")
        first.expect(status: 0)
        #expect(first.errors.components(separatedBy: note).count == 2)
        #expect(try !strata("import", "box.csv", "--store", "s").errors.contains(note))
        try strata("delete", "-q", "--entity", "box", "--store", "s", "--where", "_row > 2").expect(status: 0)
        #expect(try export("box", "s", "--columns", "`_row`,name") == "_row,name\nx,a\ny,b\n")
        #expect(try export("box", "s", "--columns", "_row=number,name") == "number,name\n1,a\n2,b\n")
        #expect(try export("box", "s", "--where", "_row = 2") == "_row,name\ny,b\n")
        #expect(try export("box", "s", "--where", "`_row` = 'x'") == "_row,name\nx,a\n")
        let wrong = try strata("show", "--entity", "box", "--store", "s", "--where", "id = 1")
        wrong.expect(status: 64)
        #expect(wrong.errors.contains("there is no attribute \"id\" in Box; there are `_row`, name, _row"))
    }

    @Test("a like pattern with % causes a note and does not change the status")
    func percent() throws {
        try prepare(Dataset.all[5], "s", isInferred: false)
        let result = try strata("show", "--entity", "team", "--store", "s", "--where", "title like '%C%'")
        result.expect(status: 0)
        #expect(
            result.errors
                == "note: option --where: in \"%C%\", % is an ordinary character; * matches any characters, and ? one\n"
        )
    }
}
