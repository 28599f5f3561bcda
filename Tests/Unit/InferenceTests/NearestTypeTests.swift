import StrataInterchange
import Testing

@testable import StrataInference

@Suite("Reported reasons against a column type")
struct NearestTypeTests {
    @Test(
        "the report contains the first cell that prevents the type of most cells, and the count of such cells",
        arguments: [
            (["10", "20", "x", "40"], "v: text, not integer: line 4 \"x\" (1 of 4 cells)"),
            (["1.5", "2.5", "y", "z", "3.5"], "v: text, not decimal: line 4 \"y\" (2 of 5 cells)"),
            (["007", "1", "2"], "v: text, not integer: line 2 \"007\" would be written as 7 (1 of 3 cells)"),
            (["2024-01-01", "2024-01-02", "soon"], "v: text, not day: line 4 \"soon\" (1 of 3 cells)"),
            (["31.12.2023", "01.02.2024", "2024"], "v: text, not day (%d.%m.%Y): line 4 \"2024\" (1 of 3 cells)"),
            (["true", "false", "maybe"], "v: text, not boolean: line 4 \"maybe\" (1 of 3 cells)"),
            (["yes", "no", "maybe"], "v: text, not boolean in words: line 4 \"maybe\" (1 of 3 cells)"),
            (["1,5", "2,5", "3,5", "x"], "v: text, not number in another spelling: line 5 \"x\" (1 of 4 cells)"),
            (["a", "b", "12"], "v: text"), (["1", "a", "b"], "v: text"), (["12", "foo", "bar"], "v: text"),
            (
                ["2011-12-13 23:43:52", "x", "2012-01-01 00:00:00"],
                "v: text, not date (%Y-%m-%d %H:%M:%S): line 3 \"x\" (1 of 3 cells)"
            ),
        ])
    func reason(_ cells: [String], _ line: String) throws {
        let data = try InferredData(["t": InferredTypeTests.table(cells)])
        #expect(data.inferred.report.lines.contains("  " + line), "\(data.inferred.report.lines)")
    }

    @Test("the nearest type is found despite one bad cell in the middle or many text cells at the beginning")
    func many() throws {
        let numbers = (1...5000).map(String.init)
        let late = try InferredData(["t": InferredTypeTests.table(numbers + ["x"] + numbers)])
        #expect(
            late.inferred.report.lines.contains("  v: text, not integer: line 5002 \"x\" (1 of 10001 cells)"))
        let early = try InferredData(["t": InferredTypeTests.table((1...90).map { "note \($0)" } + numbers)])
        #expect(
            early.inferred.report.lines.contains("  v: text, not integer: line 2 \"note 1\" (90 of 5090 cells)"))
        let column = early.inferred.report.entities[0].columns[0]
        #expect(column.nearest?.cells == 90 && column.values == 5090)
    }

    @Test(
        "common date formats are inferred, and the dates are exported unchanged",
        arguments: [
            (["2011-12-13 23:43:52", "2012-01-01 00:00:00"], "date (%Y-%m-%d %H:%M:%S)"),
            (["2011-12-13 23:43", "2012-01-01 00:00"], "date (%Y-%m-%d %H:%M)"),
            (["2011-12-13T23:43", "2012-01-01T00:00"], "date (%Y-%m-%dT%H:%M)"),
            (["2011-12-13 23:43:52.123", "2012-01-01 00:00:00.5"], "date (%Y-%m-%d %H:%M:%S.%f)"),
            (["1/5/2024 9:05", "13/5/2024 19:05"], "date (%-d/%-m/%Y %-H:%M)"),
            (["1/5/2024 09:05", "13/5/2024 19:05"], "date (%-d/%-m/%Y %H:%M)"),
            (["1/15/2024 9:05 PM", "12/31/2024 12:05 AM"], "date (%-m/%-d/%Y %-I:%M %p)"),
            (["1.5.2024", "13.12.2024"], "day (%-d.%-m.%Y)"), (["01.05.2024", "13.12.2024"], "day (%d.%m.%Y)"),
            (["5 Jan 2024", "12 Feb 2024"], "day (%-d %b %Y)"), (["Jan 5, 2024", "Feb 12, 2024"], "day (%b %-d, %Y)"),
            (["January 5, 2024", "May 12, 2024"], "day (%B %-d, %Y)"),
            (["5-Jan-2024", "12-May-2024"], "day (%-d-%b-%Y)"),
        ])
    func dates(_ cells: [String], _ type: String) throws {
        let text = InferredTypeTests.table(cells)
        let data = try InferredData(["t": text])
        #expect(data.types() == [type])
        #expect(try data.roundTrip(text) == text)
    }

    @Test("a unique column is inferred as key if a column of the same name elsewhere contains only its values")
    func sharedKeys() throws {
        func references(_ tables: KeyValuePairs<String, String>) throws -> [String] {
            let names = Set(tables.flatMap { $0.value.prefix { $0 != "\n" }.split(separator: ",").map(String.init) })
            let data = try InferredData(tables) { $0.sharedNames = names }
            return data.inferred.report.entities.flatMap { entity in
                entity.references.map { "\(entity.source) \($0.column) \($0.to)" }
            }
        }
        let users = "email,x\na@x,1\nb@x,2\nc@x,3\n"
        #expect(try references(["u": users, "o": "email,y\nb@x,1\nb@x,2\n"]) == ["o.csv email u.email"])
        #expect(try references(["o": "email,y\nb@x,1\nb@x,2\n", "u": users]) == ["o.csv email u.email"])
        // No reference: missing values, numbers from 1 on, and the same values in both tables.
        #expect(try references(["u": users, "o": "email,y\nb@x,1\nd@x,2\n"]).isEmpty)
        #expect(try references(["u": "pos,x\n1,a\n2,b\n3,c\n", "o": "pos,y\n1,a\n1,b\n"]).isEmpty)
        #expect(try references(["u": "name,x\nA,1\nB,2\n", "o": "name,y\nA,1\nB,2\n"]).isEmpty)
        #expect(
            try references(["y": "year,t\n2020,5\n2021,6\n2022,1\n", "v": "year,w\n2020,1\n2020,2\n2021,3\n"])
                == ["v.csv year y.year"])
    }
}
