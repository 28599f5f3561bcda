import Foundation
import StrataTestSupport
import Testing

/// Datasets in the style of published ones, which are inferred, corrected, imported and exported unchanged.
@Suite("Published datasets")
struct PublishedDatasetTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: [String]) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("the stored datasets equal the output of the script that generates them")
    func script() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [PublishedDataset.folder + ".sh", folder.path("made")]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: PublishedDataset.folder).sorted()
                == PublishedDataset.all.map(\.name))
        for dataset in PublishedDataset.all {
            let files = try dataset.files
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path("made/\(dataset.name)")).sorted()
                    == files)
            for file in files {
                let kept = try Data(contentsOf: URL(fileURLWithPath: "\(dataset.path)/\(file)"))
                #expect(try folder.data("made/\(dataset.name)/\(file)") == kept, "\(dataset.name)/\(file)")
            }
        }
    }

    @Test(
        "published datasets can be inferred, corrected, imported and exported unchanged",
        arguments: Seeds.spread(5, of: PublishedDataset.all))
    func roundTrip(_ dataset: PublishedDataset) throws {
        try infer(dataset)
        try correct(dataset)
        let imported = try strata(
            ["import", dataset.path, "--model", "m.json", "--store", "s"] + dataset.reading)
        imported.expect(status: 0)
        #expect(try strata(["check", "--store", "s"]).output == "ok\n")
        #expect(try references(ofStore: "s") == dataset.corrected ?? dataset.references)
        try compare(dataset)
    }

    /// Infers the model and expects exactly the references of the dataset.
    private func infer(_ dataset: PublishedDataset) throws {
        let inferred = try strata(
            ["model", "infer", dataset.path, "--output", "m.json", "--report", "r.json"]
                + dataset.reading + dataset.given)
        inferred.expect(status: 0)
        #expect(try strata(["model", "check", "m.json", "--strict"]).output == "m.json: ok\n")
        let entities = try #require(try object(try folder.text("r.json"))["entities"] as? [[String: Any]])
        #expect(entities.count == (try dataset.files.count))
        let found = try entities.flatMap { entity in
            let table = try #require((entity["source"] as? String)?.split(separator: ".").first)
            return try #require(entity["references"] as? [[String: Any]]).map { reference in
                let column = try #require(reference["column"] as? String)
                // The name of a table cannot contain a point.
                let target = try #require(reference["to"] as? String).split(separator: ".", maxSplits: 1)
                return "\(table)(\(column)) → \(target[0])(\(target[1]))"
            }
        }
        #expect(found.sorted() == dataset.references)
    }

    /// Applies the dataset's edits to the model.
    private func correct(_ dataset: PublishedDataset) throws {
        var text = try folder.text("m.json")
        for edit in dataset.edits {
            let table = try #require(text.firstRange(of: "\"path\": \"\(edit.table)."))
            let end = text[table.upperBound...].firstRange(of: "\"path\": ")?.lowerBound ?? text.endIndex
            let place = try #require(text[table.upperBound..<end].firstRange(of: edit.old), "\(edit)")
            text.replaceSubrange(place, with: edit.new)
        }
        try folder.write(text, to: "m.json")
        #expect(try strata(["model", "check", "m.json", "--strict"]).output == "m.json: ok\n")
    }

    private func references(ofStore store: String) throws -> [String] {
        let shown = try object(try strata(["model", "show", store, "--format", "json"]).output)
        return try #require(shown["resources"] as? [[String: Any]]).flatMap { resource in
            let table = try #require(resource["name"] as? String)
            let schema = try #require(resource["schema"] as? [String: Any])
            return try (schema["foreignKeys"] as? [[String: Any]] ?? []).map { key in
                let fields = try #require(key["fields"] as? [String]).joined(separator: ", ")
                let reference = try #require(key["reference"] as? [String: Any])
                let others = try #require(reference["fields"] as? [String]).joined(separator: ", ")
                return "\(table)(\(fields)) → \(reference["resource"] as? String ?? table)(\(others))"
            }
        }.sorted()
    }

    /// Exports all files and compares them with the dataset.
    private func compare(_ dataset: PublishedDataset) throws {
        let files = try dataset.files
        for format in Set(files.map { $0.split(separator: ".")[1] }) {
            let first = try #require(files.first { $0.hasSuffix(".\(format)") })
            let isTable = format == "csv" || format == "tsv"
            let exported = try strata(
                ["export", "--all", "--store", "s", "--output", "out-\(format)", "--format", String(format)]
                    + (isTable ? ["--like", "\(dataset.path)/\(first)"] : []))
            exported.expect(status: 0)
        }
        for file in files {
            let format = file.split(separator: ".")[1]
            let (expected, written) = (try dataset.text(file), try folder.text("out-\(format)/\(file)"))
            if dataset.unordered.contains(file) {
                #expect(written.split(separator: "\n").sorted() == expected.split(separator: "\n").sorted(), "\(file)")
            } else if dataset.quotesFreely.contains(file) {
                #expect(PublishedDataset.cells(written) == PublishedDataset.cells(expected), "\(file)")
            } else {
                #expect(written == expected, "\(file)")
            }
        }
    }

    @Test(
        "published datasets with dangling references are not imported",
        arguments: Seeds.spread(3, of: PublishedDataset.all))
    func missing(_ dataset: PublishedDataset) throws {
        try infer(dataset)
        try correct(dataset)
        let files = try dataset.files
        for reference in dataset.corrected ?? dataset.references {
            let ends = reference.split(separator: " → ").map { $0.prefix { $0 != "(" } }
            // A reference within a table that has no rows is never dangling.
            guard ends[0] != ends[1] else { continue }
            let target = try #require(files.first { $0.hasPrefix("\(ends[1]).") })
            try? FileManager.default.removeItem(atPath: folder.path("spoiled"))
            try FileManager.default.copyItem(atPath: dataset.path, toPath: folder.path("spoiled"))
            try dataset.withoutRecords(target).write(to: URL(fileURLWithPath: folder.path("spoiled/\(target)")))
            let result = try strata(["import", "spoiled", "--model", "m.json", "--store", "none"] + dataset.reading)
            #expect(result.status == 65 && result.errors.contains("there is no "), "\(reference): \(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("none")), "\(reference)")
        }
    }
}
