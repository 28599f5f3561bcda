import StrataInterchange
import Testing

@Suite("Dataset formats")
struct DatasetFormatTests {
    @Test(
        "a file's extension determines the format, in any case and also before a compression extension",
        arguments: [
            ("a.csv", DatasetFormat.csv), ("A.CSV", .csv), ("a.tsv", .tsv), ("a.tab", .tsv), ("a.json", .json),
            ("a.ndjson", .ndjson), ("a.jsonl", .ndjson), ("a.csv.gz", .csv), ("a.b.JSON.Zst", .json),
            ("dir.csv/a.jsonl.zstd", .ndjson), (".x.csv", .csv),
        ])
    func named(name: String, format: DatasetFormat) {
        #expect(DatasetFormat(fileName: name) == format)
    }

    @Test(
        "a file name without a known extension has no format",
        arguments: ["", "csv", ".csv", "a.", "a.txt", "a.csv.bz2", "a.gz", "a.csv.gz.gz"])
    func unnamed(name: String) {
        #expect(DatasetFormat(fileName: name) == nil)
    }

    @Test("each file extension of a format determines the same format", arguments: DatasetFormat.allCases)
    func endings(format: DatasetFormat) {
        for ending in format.fileEndings { #expect(DatasetFormat(fileName: "rows.\(ending)") == format) }
    }
}
