import StrataInterchange
import Testing

@Suite("Dataset formats")
struct DatasetFormatTests {
    @Test(
        "a file's extension determines the format, without case and before a compression's extension",
        arguments: [
            ("a.csv", DatasetFormat.csv), ("A.CSV", .csv), ("a.tsv", .tsv), ("a.tab", .tsv), ("a.json", .json),
            ("a.ndjson", .ndjson), ("a.jsonl", .ndjson), ("a.csv.gz", .csv), ("a.b.JSON.Zst", .json),
            ("dir.csv/a.jsonl.zstd", .ndjson), (".x.csv", .csv),
        ])
    func named(name: String, format: DatasetFormat) {
        #expect(DatasetFormat(fileName: name) == format)
    }

    @Test(
        "other file extensions have no format",
        arguments: ["", "csv", ".csv", "a.", "a.txt", "a.csv.bz2", "a.gz", "a.csv.gz.gz"])
    func unnamed(name: String) {
        #expect(DatasetFormat(fileName: name) == nil)
    }

    @Test("a format's extension names that format", arguments: DatasetFormat.allCases)
    func endings(format: DatasetFormat) {
        for ending in format.fileEndings { #expect(DatasetFormat(fileName: "rows.\(ending)") == format) }
    }
}
