import StrataInterchange
import Testing

@Suite("Descriptions of import and export errors")
struct InterchangeErrorTests {
    @Test(
        "the description of an error contains the known parts of its location",
        arguments: [
            ("colors.csv", 17, 15, "hex", "colors.csv:17: record 15, column hex: m"),
            ("colors.csv", nil, nil, nil, "colors.csv: m"),
            ("<stdin>", 2, nil, nil, "<stdin>:2: m"), (nil, 17, nil, nil, "line 17: m"),
            (nil, nil, 3, nil, "record 3: m"),
            (nil, nil, nil, "hex", "column hex: m"), ("a", 1, nil, "2", "a:1: column 2: m"),
            ("a", nil, 2, nil, "a: record 2: m"),
            (nil, nil, nil, nil, "m"),
        ] as [(String?, Int?, Int?, String?, String)])
    func description(source: String?, line: Int?, record: Int?, column: String?, expected: String) {
        let error = InterchangeError(
            .invalidValue, source: source, line: line, record: record, column: column, message: "m")
        #expect(error.description == expected)
        #expect("\(error)" == expected)
    }
}
