import Foundation
import Testing

@testable import StrataInterchange

@Suite("Reports of imports")
struct ImportReportTests {
    private func object(_ path: String) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    }

    @Test(
        "an import report is valid JSON for any text in names and messages",
        arguments: ["a\"b\\c/\n\r\t\u{0}\u{1F}\u{7F}", "ünï\u{2028}🎨", ""])
    func texts(text: String) throws {
        let folder = try TemporaryDirectory()
        let report = try ImportReport(path: folder.file("r"))
        let error = InterchangeError(
            .invalidValue, source: text, line: 2, record: 1, column: text, message: text)
        try report.append(error)
        try report.append(InterchangeError(.malformed, message: text))
        try report.finish(nil, .failed)
        let found = try object(folder.file("r"))
        let errors = try #require(found["errors"] as? [[String: Any]])
        #expect(errors[0]["message"] as? String == text && errors[0]["column"] as? String == text)
        #expect(errors[0]["source"] as? String == text)
        #expect(errors[0]["line"] as? Int == 2 && errors[0]["record"] as? Int == 1)
        #expect(errors[1].count == 1)
        #expect(found["outcome"] as? String == "failed")
    }

    @Test("an import report is written with the outcome committing before the commit and updated after the commit")
    func prepared() throws {
        for outcome in [ImportReport.Outcome.stored, .failed] {
            for isLate in [false, true] {
                let folder = try TemporaryDirectory()
                try folder.write("before", to: "r")
                let report = try ImportReport(path: folder.file("r"))
                try report.append(InterchangeError(.malformed, message: "first"))
                #expect(try folder.text(of: "r") == "before")
                var summary = ImportSummary()
                summary.files = [.init(name: "a.csv", entity: "A")]
                summary.files[0].rejected = 123_456
                try report.prepare(summary)
                #expect(try object(folder.file("r"))["outcome"] as? String == "committing")
                if isLate { try report.append(InterchangeError(.malformed, message: "late")) }
                summary.files[0].rejected = 1
                try report.finish(summary, outcome)
                let found = try object(folder.file("r"))
                #expect(found["outcome"] as? String == outcome.rawValue)
                #expect((found["errors"] as? [Any])?.count == (isLate ? 2 : 1))
                // The counts of a committed import are known before the commit, unlike the counts of a failed import.
                let total = try #require(found["total"] as? [String: Any])
                #expect(total["rejected"] as? Int == (outcome == .failed || isLate ? 1 : 123_456))
                #expect(try folder.names() == ["r"])
            }
        }
    }
}
