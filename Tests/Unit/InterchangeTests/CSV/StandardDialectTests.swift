import StrataInterchange
import Testing

/// Returns the records of a text and expects them to be the same for all block sizes.
private func records(_ text: String, _ change: (inout CSVDialect) -> Void) -> [String] {
    var dialect = CSVDialect(separator: .comma)
    change(&dialect)
    let all = blockSizes.map { csvRecords(Array(text.utf8), dialect, blockSize: $0, recordLimit: 100) }
    #expect(all.allSatisfy { $0 == all[0] }, "\(all)")
    return all[0]
}

@Suite("Dialects of the Data Package standard for any block size")
struct StandardDialectTests {
    @Test(
        "a character after an escape character has no special meaning",
        arguments: [
            (#"a,b\#n1\,2,3"#, ["1: a|b", "2/1: 1,2|3"]),
            (#"a,b\#n"x\"y","\\"\#n"#, ["1: a|b", #"2/1: 'x"y|'\"#]),
            (#"a,b\#n\"x\",\\\#n"#, ["1: a|b", #"2/1: "x"|\"#]),
            ("a,b\n1\\\n2,3\n4,5\n", ["1: a|b", "2/1: 1\n2|3", "4/2: 4|5"]),
            ("a,b\r\n1\\\r\n2,3\r\n4,5\r\n", ["1: a|b", "2/1: 1\r\n2|3", "4/2: 4|5"]),
            ("a,b\n\"1\\\n\n2\",3\n4,5\n", ["1: a|b", "2/1: '1\n\n2|3", "5/2: 4|5"]),
            (#"a,b\#n\é\日,"\😀é"\#n"#, ["1: a|b", "2/1: é日|'😀é"]),
            (#"a\,b,c\#n1,2\#n"#, ["1: a,b|c", "2/1: 1|2"]),
            (#"a,b\#n"x""y",""\#n"#, ["1: a|b", #"2/1: 'x"y|'"#]),
            (#"a,b\#n\N,"\N"\#n\NN,N\#n"#, ["1: a|b", "2/1: -|'N", "3/2: NN|N"]),
            (#"a,b\#n,1\#n"#, ["1: a|b", "2/1: -|1"]),
        ] as [(String, [String])])
    func escapes(text: String, expected: [String]) {
        let found = records(text) {
            $0.escape = UInt8(ascii: "\\")
            $0.nullTokens = ["\\N"]
        }
        #expect(found == expected)
    }

    @Test("the other CSV rules apply to files with escape characters, and errors have a location")
    func brokenEscapes() {
        func error(_ text: String) -> String? {
            records(text) { $0.escape = UInt8(ascii: "\\") }.last
        }
        #expect(
            error(#"a,b\#n1,2\"#)
                == "t.csv:2: record 1, column b: the file ends after an escape character; another character must follow"
        )
        #expect(
            error("a,b\n1,x\"y\n")
                == "t.csv:2: record 1, column b: a quote inside a field without quotes; put the whole field in quotes and "
                + "double the quotes inside it")
        #expect(
            error(#"a,b\#n1,"x\""#)
                == "t.csv:2: record 1, column b: the quote opened on line 2 is never closed; close it, or double it if it "
                + "belongs to the field")
        #expect(
            error("a,b\n1,x\\\u{0}\n")
                == "t.csv:2: record 1, column b: a NUL byte, which a text cannot contain; if the file is UTF-16, name "
                + "its encoding (--encoding utf-16)"
        )
        let long = error("a,b\n1,\\," + String(repeating: "x", count: 200) + "\n")
        #expect(
            long
                == "t.csv:2: record 1: the record is longer than 100 bytes; look for a quote that is not closed, or allow longer "
                + "records (--max-record)")
    }

    @Test("if quotes are not doubled, a quoted field ends at the next quote")
    func singleQuotes() {
        let found = records("a,b\n\"x\",'y'\n\"\",\n\"x\"\"y\",z\n") { $0.doublesQuotes = false }
        #expect(
            found == [
                "1: a|b", "2/1: 'x|'y'", "3/2: '|-",
                "t.csv:4: record 3, column a: text after a closing quote; double a quote that belongs to the field",
            ])
    }

    @Test(
        "on request, spaces after a separator are skipped, and spaces before a separator are part of the field",
        arguments: [
            ("a, b,\tc\n1, 2 ,  3\n", ["1: a|b|c", "2/1: 1|2 |3"]),
            ("a, b,c\n 1, \"x, y\",\t \"z\"\n", ["1: a|b|c", "2/1:  1|'x, y|'z"]),
            ("a,b,c\n1,  ,\t\n", ["1: a|b|c", "2/1: 1|-|-"]),
            ("a,b,c\n1,  NA, NA\n", ["1: a|b|c", "2/1: 1|-|-"]),
            ("a,b,c\n\"1\",  2 , \n", ["1: a|b|c", "2/1: '1|2 |-"]),
        ] as [(String, [String])])
    func initialSpace(text: String, expected: [String]) {
        let found = records(text) {
            $0.skipsInitialSpace = true
            $0.nullTokens = ["NA"]
        }
        #expect(found == expected)
    }

    @Test("spaces after a separator are skipped also if an escape character is defined")
    func initialSpaceAndEscapes() {
        let found = records("a, b\n1, \\ x\\,\n2, \" \\\"\"\n") {
            $0.skipsInitialSpace = true
            $0.escape = UInt8(ascii: "\\")
        }
        #expect(found == ["1: a|b", "2/1: 1| x,", "3/2: 2|' \""])
    }

    @Test(
        "column names in several header rows are joined, and rows between header rows are omitted",
        arguments: [
            ([1, 2], "x,x,y\na,b,\n1,2,3\n", ["1: x a|x b|y", "3/1: 1|2|3"]),
            ([1, 3], "x,y\n--\na,b\n1,2\n", ["1: x a|y b", "4/1: 1|2"]),
            ([2, 4], "title\nx,y\n\na,b\n\n1,2\n", ["2: x a|y b", "6/1: 1|2"]),
            ([1, 2], "\"x\ny\",z\na,b\n1,2\n", ["1: x\ny a|z b", "4/1: 1|2"]),
            ([2], "t\na,b\n1,2\n", ["2: a|b", "3/1: 1|2"]),
            ([1, 2, 3], "x\ny,\nz,u\n1,2\n", ["1: x y z|u", "4/1: 1|2"]),
            ([1, 2], "a,b\n", ["t.csv: row 2 must contain the column names, but the file has no such row"]),
            ([1, 2], "a,b\n\n1,2\n", ["t.csv:2: row 2 must contain the column names, but it is blank"]),
            ([1, 2], "a,b\n#c\n1,2\n", ["t.csv:2: row 2 must contain the column names, but it is a comment"]),
        ] as [([Int], String, [String])])
    func headerRows(rows: [Int], text: String, expected: [String]) {
        let found = records(text) {
            $0.headerRows = rows
            $0.comment = "#"
        }
        #expect(found == expected)
    }

    @Test("the parts of a column name in several header rows are joined by the dialect's headerJoin text")
    func headerJoin() {
        let found = records("x,y\na,b\n") {
            $0.headerRows = [1, 2]
            $0.headerJoin = "_"
        }
        #expect(found == ["1: x_a|y_b"])
    }

    @Test(
        "rows whose numbers are listed in commentRows are omitted, regardless of their content",
        arguments: [
            ([1, 3], "#\na,b\n\"units\n1,2\n", ["2: a|b", "4/1: 1|2"]),
            ([2], "a,b\nunit,unit\n1,2\n", ["1: a|b", "3/1: 1|2"]),
            ([4], "a,b\n\"1\n1\",2\n3,4\nx\n5,6\n", ["1: a|b", "2/1: '1\n1|2", "4/2: 3|4", "6/3: 5|6"]),
            ([5], "a,b\n\n%x\n1,2\nx\n5,6\n", ["1: a|b", "4/1: 1|2", "6/2: 5|6"]),
            ([5], "a,b\n1,2\n", ["1: a|b", "2/1: 1|2"]),
            ([2, 3], "a,b\nx\ny", ["1: a|b"]),
        ] as [([Int], String, [String])])
    func commentRows(rows: [Int], text: String, expected: [String]) {
        let found = records(text) {
            $0.commentRows = rows
            $0.comment = "%"
        }
        #expect(found == expected)
    }

    @Test("comment rows are omitted by number also if no comment character is defined")
    func commentRowsAlone() {
        #expect(records("a,b\n1,2\nx\n3,4\n") { $0.commentRows = [3] } == ["1: a|b", "2/1: 1|2", "4/2: 3|4"])
        let both = records("-\nx,y\nunit\na,b\n1,2\nz\n3,4\n") {
            $0.headerRows = [2, 4]
            $0.commentRows = [3, 6]
        }
        #expect(both == ["2: x a|y b", "5/1: 1|2", "7/2: 3|4"])
    }

    @Test(
        "a first row that equals the given column names is read as a header, and any other first row as a record",
        arguments: [
            ("a,b\n1,2\n", ["1: a|b", "2/1: 1|2"]),
            ("1,2\n3,4\n", ["1: a|b", "1/1: 1|2", "2/2: 3|4"]),
            ("\n\n\"a\",b\n1,2", ["3: a|b", "4/1: 1|2"]),
            ("\n1,2\n", ["1: a|b", "2/1: 1|2"]),
            ("A,b\n1,2\n", ["1: a|b", "1/1: A|b", "2/2: 1|2"]),
            ("", ["1: a|b"]),
            (
                "1,x\"\n",
                [
                    "1: a|b",
                    "t.csv:1: record 1, column b: a quote inside a field without quotes; put the whole field in quotes and "
                        + "double the quotes inside it",
                ]
            ),
        ] as [(String, [String])])
    func parts(text: String, expected: [String]) {
        let found = records(text) {
            ($0.hasHeader, $0.mayHaveHeader) = (false, true)
            $0.columns = ["a", "b"]
        }
        #expect(found == expected)
    }

    @Test("a dialect with contradictory or invalid options is rejected with the reason")
    func contradictions() {
        func error(_ change: (inout CSVDialect) -> Void) -> String? { records("a\n", change).last }
        #expect(error { $0.quote = UInt8(ascii: ",") } == "the separator and the quote are the same character")
        #expect(error { $0.escape = UInt8(ascii: ",") } == "the separator and the escape character are the same")
        #expect(
            error { $0.escape = UInt8(ascii: "\"") }
                == "the quote and the escape character are the same; use doubled quotes instead")
        #expect(error { $0.escape = 10 } == "an escape character must be an ASCII character other than a line break")
        #expect(
            error {
                $0.escape = UInt8(ascii: "\\")
                $0.isLenient = true
            } == "files with escape characters or quotes that are not doubled cannot be repaired")
        #expect(error { $0.headerRows = [2, 1] } == "row numbers must be ascending and begin with 1 or more")
        #expect(error { $0.commentRows = [0] } == "row numbers must be ascending and begin with 1 or more")
        #expect(
            error {
                $0.headerRows = [2]
                $0.commentRows = [2]
            } == "row 2 is both a header row and a comment row")
    }
}
