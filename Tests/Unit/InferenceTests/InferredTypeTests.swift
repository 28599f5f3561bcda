import StrataInterchange
import StrataModelFiles
import Testing

@testable import StrataInference

/// Tests of column types, which must preserve every byte.
@Suite("Inferred types")
struct InferredTypeTests {
    @Test(
        "the inferred type of a column is the narrowest type that preserves every cell",
        arguments: [
            (["1", "-20", "300"], "integer"), (["9223372036854775807"], "integer"), (["true", "false"], "boolean"),
            (["1.50", "-0.25"], "decimal(2)"), (["1.5", "2.25", "3"], "decimal(2), fewest digits"),
            (["0.12345678901234567", "1.5"], "decimal(17), fewest digits"),
            (["12345678901.12345", "0.1234567890123456"], "double"), (["2024-02-29", "1999-12-31"], "day"),
            (["23:59:58", "00:00:00"], "time"), (["2024-01-26T10:11:12Z"], "date"),
            (["2024-01-26T10:11:12", "2024-01-26T10:11:13.5"], "local date and time"),
            (["2024-01-26T10:11:12+02:00", "2024-01-26T10:11:12Z"], "date and time with an offset"),
            (["2024-01", "1999-12"], "year and month"), (["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"], "uuid"),
            (["yes", "no", "yes"], "boolean (yes, no)"), (["31.12.1999", "01.02.2024"], "day (%d.%m.%Y)"),
            (["12,50", "1,25"], "decimal(2), decimal ,"), (["1.234,50", "0,75"], "decimal(2), decimal ,, groups ."),
            (["1 000 000", "12"], "integer, groups of spaces"),
            (["3.825.545", "1.012", "7"], "integer, groups ."), (["1,234,567", "12"], "integer, groups ,"),
            (["Anna", "1"], "text"),
        ])
    func types(cells: [String], type: String) throws {
        let text = Self.table(cells)
        let data = try InferredData(["t": text])
        #expect(data.types() == [type])
        #expect(try data.roundTrip(text) == text)
    }

    @Test(
        "a column with irregular values, such as leading zeros, is inferred as text",
        arguments: [
            (["02134", "00501"], "text"), (["007.1"], "text"), (["+1234567891"], "text"), (["32E0134", "1e5"], "text"),
            (["9223372036854775808"], "text"), (["0.12345678901234567890", "2"], "text"),
            (["41_10_1", "1_000"], "text"),
            (["02/01/2014", "03/04/2015"], "text"), (["1-1-19"], "text"), (["95%"], "text"), (["0", "1"], "integer"),
            (["NA", "None", "Null"], "text"), (["-0"], "text"), (["1.", ".5"], "text"), (["1.50", "1.5"], "text"),
            (["nan", "inf"], "text"), ([" 1", "2 "], "text"), (["1,234", "5,678"], "text"), (["24:00:00"], "text"),
            (["e621e1f8-c36c-495a-93fc-0c247a3e6e5f"], "text"), (["2023-02-29"], "text"), (["yes"], "text"),
            (["\u{661}"], "text"), (["1", ""], "text"), (["01.02.24"], "text"), (["TRUE", "true"], "text"),
        ])
    func traps(cells: [String], type: String) throws {
        let text = Self.table(cells)
        let data = try InferredData(["t": text])
        #expect(data.types() == [type])
        #expect(try data.roundTrip(text) == text)
    }

    @Test("a column without values is inferred as text, and a column without null is mandatory")
    func nulls() throws {
        let text = "a,b,c\n,1,x\n,,y\n"
        let data = try InferredData(["t": text])
        let columns = data.inferred.report.entities[0].columns
        #expect(columns.map(\.type) == ["text", "integer", "text"])
        #expect(columns.map(\.optional) == [true, true, false])
        #expect(columns.map(\.nulls) == [2, 1, 0])
        #expect(try data.roundTrip(text) == text)
    }

    @Test("the report contains the first cell that prevents a type, and how the type would write this cell")
    func witnesses() throws {
        let data = try InferredData(["t": "zip\n12345\n00501\n777\n"])
        let column = data.inferred.report.entities[0].columns[0]
        let refusal = try #require(column.refused.first { $0.type == "integer" })
        #expect(refusal.line == 3 && refusal.text == "00501" && refusal.written == "501")
        #expect(
            data.inferred.report.lines.contains(
                "  zip: text, not integer: line 3 \"00501\" would be written as 501 (1 of 3 cells)"))
    }

    @Test("a typical word for null is not read as null, and the report names the option for this word")
    func tokens() throws {
        let text = "n\n1\nNA\n2\nNA\n"
        let data = try InferredData(["t": text])
        let column = data.inferred.report.entities[0].columns[0]
        #expect(column.type == "text" && column.nulls == 0)
        #expect(column.notes == ["without NA (2 times) the type would be integer; --null 'NA' reads them as null"])
        #expect(try data.roundTrip(text) == text)
    }

    @Test("a null word is stored in the model if every missing value has this word; otherwise, a note is reported")
    func missingWords() throws {
        func inferred(_ text: String) throws -> InferredData {
            try InferredData(["t": text]) { _ in
            } reading: {
                $0.dialect.nullTokens = ["NA", "-"]
            }
        }
        let text = "n,t\n1,NA\nNA,x\n2,y\n"
        let data = try inferred(text)
        #expect(data.types() == ["integer", "text"])
        #expect(data.inferred.text.contains(#""missingValues": ["NA", ""]"#))
        #expect(data.inferred.report.entities[0].notes == ["no key: Strata assigns identifiers"])
        // The import has no option for the null word, because the model contains the word.
        #expect(try data.roundTrip(text) == text)
        for (text, what) in [
            ("n,t\n1,NA\n,x\n", "nothing (1 times), NA (1 times)"), ("n,t\n1,NA\n-,x\n", "- (1 times), NA (1 times)"),
            ("n,t\n1,NA\n2,\"NA\"\n", "NA (1 times)"), ("n,t\n1,NA\n2,\"\"\n", "NA (1 times)"),
        ] {
            let data = try inferred(text)
            #expect(!data.inferred.text.contains("missingValues"))
            let note =
                "null is written as \(what), which the model does not distinguish: use --null to choose what an "
                + "export writes"
            #expect(data.inferred.report.entities[0].notes.last == note)
        }
    }

    @Test("the report contains all date formats that fit an ambiguous column")
    func ambiguousDays() throws {
        let data = try InferredData(["t": "d\n02/01/2014\n03/04/2015\n"])
        let notes = data.inferred.report.entities[0].columns[0].notes
        #expect(
            notes == ["every cell is a day in the format %d/%m/%Y or %m/%d/%Y; --date-format d=%d/%m/%Y chooses one"])
        let chosen = try InferredData(["t": "d\n02/01/2014\n03/04/2015\n"]) {
            $0.types = ["t": ["d": GivenType("day:%d/%m/%Y")].compactMapValues { $0 }]
        }
        #expect(try chosen.roundTrip("d\n02/01/2014\n03/04/2015\n") == "d\n02/01/2014\n03/04/2015\n")
        #expect(chosen.inferred.text.contains("\"format\": \"%d/%m/%Y\""))
    }

    @Test(
        "a JSON string of digits is inferred as text, and nested JSON values are preserved")
    func documents() throws {
        let text = """
            {"id":1,"zip":"00501","price":1.50,"is":true,"on":"2024-02-29","tags":["a","b"],"at":{"x":1}}
            {"id":2,"zip":"123","price":2.25,"is":false,"on":"1999-12-31","tags":[],"at":{}}

            """
        let data = try InferredData(["t": text])
        #expect(data.types() == ["integer", "text", "decimal(2)", "boolean", "day", "JSON array", "JSON object"])
        #expect(try data.roundTrip(text) == text)
    }

    @Test("an inferred model file is read in strict mode and written again unchanged")
    func files() throws {
        let data = try InferredData(["t": "id,a b,Straße\n1,x,2\n2,y,3\n"])
        let file = try ModelFile(json: Array(data.inferred.text.utf8), isStrict: true)
        #expect(ModelFile.text(of: file.model) == data.inferred.text)
    }

    @Test("columns with repeated or missing names get generated names")
    func headers() throws {
        for (header, names) in [("a,a", ["a", "a_2"]), ("a,", ["a", "column2"])] {
            let report = try InferredData(["t": "\(header)\n1,2\n"]).inferred.report
            #expect(report.entities[0].columns.map(\.name) == names)
        }
    }

    @Test("all candidate date formats of the inference are valid")
    func formats() { #expect(DateForms.patternCount == DateForms.formats.count) }

    static func table(_ cells: [String]) -> String {
        "v\n"
            + cells.map { cell in
                let isQuoted = cell.isEmpty || cell.contains(",") || cell.hasPrefix(" ") || cell.hasSuffix(" ")
                return isQuoted ? "\"\(cell)\"\n" : cell + "\n"
            }.joined()
    }
}
