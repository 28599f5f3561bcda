import Foundation
import StrataFixtureDatasets
import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// Which datasets a model is made of, and what somebody knows better than they do.
struct InferenceArguments {
    private static let group = "Inferring"

    /// Those of the options by which datasets are read that have nothing to do with a model.
    private static let readingOptions = [
        "encoding", "max-record", "delimiter", "quote", "escape", "no-header", "columns", "header-rows", "header-join",
        "skip-lines", "comment", "comment-rows", "null", "skip-initial-space", "trim", "lenient", "root", "flatten",
    ]

    static let options: [OptionSpecification] =
        [
            .option(
                "output", placeholder: "FILE",
                help: "Write the model here, and not to standard output.", letter: "o", group: group, values: .file),
            .option(
                "report", placeholder: "FILE",
                help: "Write what was found, and why, here as JSON, for programs.", group: group, values: .file),
            .option(
                "sample", placeholder: "N",
                help: "Look at the first N records of each dataset only; everything may be null then.", group: group),
            .option(
                "key", placeholder: "TABLE.COLUMN",
                help: "This column is the key of its dataset, whatever it is called.", isRepeatable: true, group: group),
            .option(
                "type", placeholder: "TABLE.COLUMN=TYPE",
                help:
                    "This column is of this type: \(GivenType.names.joined(separator: ", ")); decimal:2 has two digits, and day:%d/%m/%Y is written so.",
                isRepeatable: true, group: group),
        ] + ReadingArguments.options.filter { readingOptions.contains($0.name) }

    /// What standard input would be called if it were a file.
    static let standardInputName = "data.csv"

    private let arguments: ParsedArguments
    private let options: ModelInference.Options
    private let reading: ReadingArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        var options = ModelInference.Options()
        options.sample = try arguments.integer("sample", in: 1...Int.max)
        for text in arguments.allValues("key") {
            let (table, column) = try Self.column(text, of: "key", arguments)
            options.keys[table] = column
        }
        for text in arguments.allValues("type") {
            guard let sign = text.lastIndex(of: "=") else {
                throw arguments.usageError("option --type: \"\(text)\" is not TABLE.COLUMN=TYPE")
            }
            let (table, column) = try Self.column(String(text[..<sign]), of: "type", arguments)
            let name = String(text[text.index(after: sign)...])
            guard let type = GivenType(name) else {
                throw arguments.usageError(
                    "option --type: \"\(name)\" is none of \(GivenType.names.joined(separator: ", ")), decimal:DIGITS, day:FORMAT"
                )
            }
            options.types[table, default: [:]][column] = type
        }
        self.options = options
        // No option of an inference names an entity.
        reading = try ReadingArguments(arguments, ManagedObjectModel([]))
    }

    private static func column(
        _ text: String, of option: String, _ arguments: ParsedArguments
    ) throws -> (table: String, column: String) {
        guard let point = text.firstIndex(of: "."), point != text.startIndex, text.index(after: point) != text.endIndex
        else { throw arguments.usageError("option --\(option): \"\(text)\" is not TABLE.COLUMN") }
        return (String(text[..<point]), String(text[text.index(after: point)...]))
    }

    /// Reads the datasets, and makes a model of them.
    ///
    /// - Parameters:
    ///   - paths: The datasets, and directories of them.
    ///   - interruption: What ends the reading.
    ///   - format: The format of a dataset.
    /// - Returns: The model, with its reasons.
    /// - Throws: What is wrong with the arguments, the datasets or their model.
    func infer(
        _ paths: [String], _ interruption: Interruption,
        format: (String) throws -> DatasetFormat
    ) throws -> ModelInference.Inferred {
        guard !paths.isEmpty else { throw arguments.usageError("infer needs a dataset, or a directory of them") }
        let files = try paths.flatMap { try Self.files($0) }
        guard !files.isEmpty else {
            throw arguments.usageError("no file of \(paths.joined(separator: ", ")) is a CSV, TSV, JSON or NDJSON file")
        }
        let replayed = try arguments.has("flatten") && paths.contains("-") ? ReplayedInput() : nil
        var datasets = try files.map { file in
            let path = file.path
            var reading = try reading.reading(try format(path), refusesOthers: files.count == 1)
            if let manifest = file.manifest { try reading.take(manifest) }
            return Dataset(
                name: Self.name(path), path: path == "-" ? Self.standardInputName : Self.fileName(path),
                reading: reading, part: nil
            ) {
                if path == "-" { try replayed?.rewind() }
                return path == "-" ? ByteInput.standardInput() : try ByteInput.file(at: path)
            }
        }
        var options = options
        if arguments.has("flatten") { datasets = try datasets.flatMap { try flattened($0, interruption) } }
        for dataset in datasets { options.parts[dataset.name] = dataset.part }
        for (name, same) in Dictionary(grouping: datasets, by: \.name).sorted(by: { $0.key < $1.key })
        where same.count > 1 {
            throw arguments.usageError(
                "\(same.map(\.path).joined(separator: " and ")) would both be called \(name); rename one, or infer them apart"
            )
        }
        var inference = ModelInference(names: datasets.map(\.name), options: options)
        for dataset in datasets {
            try inference.read(
                try dataset.input(), as: dataset.name, path: dataset.path, dataset.reading,
                isCancelled: interruption.isCancelled)
        }
        do {
            return try inference.result()
        } catch let error as ModelFileError {
            throw ModelFailure(path: paths.joined(separator: " "), findings: error.findings)
        }
    }

    /// A file, or a table of one whose records hold others.
    private struct Dataset {
        let name: String
        let path: String
        let reading: ReadingOptions
        let part: PartOfDataset?
        let input: () throws -> ByteInput
    }

    /// The tables of a document; a table is its own.
    private func flattened(_ dataset: Dataset, _ interruption: Interruption) throws -> [Dataset] {
        guard !dataset.reading.format.isTable else { return [dataset] }
        let flattening = Flattening(
            name: dataset.name, reading: dataset.reading, sample: options.sample, input: dataset.input,
            isCancelled: interruption.isCancelled)
        let (document, links) = try flattening.document { document in
            var inference = ModelInference(names: document.tables.map(\.name), options: options)
            for place in document.tables.indices {
                let table = document.tables[place]
                try inference.read(
                    try document.input(of: place), as: table.name, path: table.name, Flattening.reading,
                    isCancelled: interruption.isCancelled)
            }
            return { place in
                let owner = document.tables[place].owner.map { document.tables[$0.table].name }
                return .init(key: owner.flatMap(inference.keyColumn))
            }
        }
        return document.tables.enumerated().map { place, table in
            Dataset(
                name: table.name, path: table.name + ".ndjson", reading: Flattening.reading,
                part: table.owner.flatMap { owner in
                    links.ownerColumn(of: place).map { .init(column: $0, owner: document.tables[owner.table].name) }
                }
            ) { try document.input(of: place) }
        }
    }

    private static func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// What a dataset is called: its file, without what says the format.
    private static func name(_ path: String) -> String {
        String((path == "-" ? standardInputName : fileName(path)).prefix { $0 != "." })
    }

    /// A file, and the manifest that lists it.
    private struct ListedFile {
        let path: String
        var manifest: DatasetManifest?
    }

    /// Returns a file, or the datasets of a directory: those that its manifest lists, or else all by their names.
    private static func files(_ path: String) throws -> [ListedFile] {
        let kind = path == "-" ? .nothing : PathKind(path)
        let isManifest = kind == .file && fileName(path) == DatasetManifest.fileName
        guard kind == .directory || isManifest else { return [ListedFile(path: path)] }
        let directory =
            isManifest ? String(path.dropLast(fileName(path).count)) : path.withoutTrailingSlashes + "/"
        if let manifest = try manifest(at: directory + DatasetManifest.fileName) {
            return try manifest.listedFiles(source: directory + DatasetManifest.fileName).map {
                ListedFile(path: directory + $0.file, manifest: manifest)
            }
        }
        guard !isManifest else { return [ListedFile(path: path)] }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        let isDescriptor = ["datapackage.json", DatasetManifest.fileName]
        return names.filter { !$0.hasPrefix(".") && !isDescriptor.contains($0) && DatasetFormat(fileName: $0) != nil }
            .map { ListedFile(path: directory + $0) }
    }

    /// Reads a manifest; returns `nil` if there is none, or another program's file of that name.
    private static func manifest(at path: String) throws -> DatasetManifest? {
        guard PathKind(path) == .file else { return nil }
        let json = Data(try ByteInput.contents(of: path))
        do throws(InterchangeError) {
            return try DatasetManifest(json: json, source: path)
        } catch  where error.code == .malformed {
            return nil
        }
    }
}
