import Foundation
import StrataFixtureDatasets
import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// The datasets from which a model is inferred, and the options that override the inference.
struct InferenceArguments {
    private static let group = "Inferring a model"

    /// The options for reading datasets that do not depend on a model.
    private static let readingOptions = [
        "encoding", "max-record", "delimiter", "quote", "escape", "no-header", "columns", "header-rows", "header-join",
        "skip-lines", "comment", "comment-rows", "null", "skip-initial-space", "trim", "lenient", "root", "flatten",
        "map", "key-as", "value-as", "date-format", "decimal", "group", "true", "false",
        "sheet", "range",
    ]

    /// The options for keys and types, which imports and validations have too.
    static let sharedOptions: [OptionSpecification] = [
        .option(
            "key", placeholder: "TABLE.COLUMN",
            help: "Use COLUMN as the key of the dataset TABLE, for a model that is inferred.",
            details: "The name of the column does not matter.",
            isRepeatable: true, group: group),
        .option(
            "type", placeholder: "TABLE.COLUMN=TYPE",
            help: "Use TYPE for COLUMN, as in decimal:2, for a model that is inferred.",
            details:
                "TYPE is one of \(GivenType.names.joined(separator: ", ")). decimal:2 has two digits after the point, "
                + "and day:%d/%m/%Y is a day in this format.",
            isRepeatable: true, group: group),
    ]

    static let options: [OptionSpecification] =
        [
            .option(
                "output", placeholder: "FILE",
                help: "Write to FILE, or with swift, to the directory FILE (default: standard output).", letter: "o",
                group: group, values: .file),
            .option(
                "report", placeholder: "FILE",
                help: "Write the inferred types and keys, with reasons, to FILE as JSON.", group: group, values: .file),
            .option(
                "sample", placeholder: "N",
                help: "Inspect only the first N records of each dataset (default: all).",
                details: "Every attribute of the model then allows null.", group: group),
        ] + sharedOptions + ReadingArguments.unionOptions
        + ReadingArguments.options.filter { readingOptions.contains($0.name) }

    private let arguments: ParsedArguments
    private let options: ModelInference.Options
    /// The flattened documents, which the import reuses.
    private let documents: FlattenedDocuments?
    private let reading: ReadingArguments
    /// The name that the user gave the dataset, or `nil` if each dataset is named like its file.
    private let name: String?

    /// Creates the options of an inference from the arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - rejectsRecords: A Boolean value that indicates whether invalid records are rejected.
    ///   - stored: The model of the store, whose entities options can name.
    ///   - documents: Receives the flattened documents, which the import reuses.
    ///   - permitsOtherDigits: A Boolean value that indicates whether a decimal may have more digits than its cells.
    /// - Throws: ``UsageError`` if an option is invalid.
    init(
        _ arguments: ParsedArguments, rejectsRecords: Bool = false, _ stored: ManagedObjectModel? = nil,
        documents: FlattenedDocuments? = nil, permitsOtherDigits: Bool = false
    ) throws {
        self.arguments = arguments
        self.documents = documents
        let given = arguments.value("as") ?? arguments.value("entity")
        let known = given.flatMap { name in stored?.entities.first { NameMatching.isSame($0.name, name) } }
        name = known.map { $0.external.name ?? $0.name } ?? given
        if name?.isEmpty == true { throw arguments.usageError("the name of the dataset is empty") }
        var options = ModelInference.Options()
        options.rejectsRecords = rejectsRecords
        options.permitsOtherDigits = permitsOtherDigits
        if arguments.command.name != "model" {
            options.maximumColumns = try arguments.value("store").flatMap {
                try StorePlace($0).description.maximumColumns
            }
        }
        options.sample = try arguments.integer("sample", in: 1...Int.max)
        for text in arguments.allValues("key") {
            let (table, column) = try Self.column(text, of: "key", named: name, arguments)
            options.keys[table] = column
        }
        for text in arguments.allValues("type") {
            guard let sign = text.lastIndex(of: "=") else {
                throw arguments.usageError("option --type: \"\(text)\" is not TABLE.COLUMN=TYPE")
            }
            let (table, column) = try Self.column(String(text[..<sign]), of: "type", named: name, arguments)
            let name = String(text[text.index(after: sign)...])
            guard let type = GivenType(name) else {
                // The error in a date format is more specific than an unknown type.
                if let colon = name.firstIndex(of: ":"), ["day", "date", "time"].contains(name[..<colon]) {
                    do throws(InterchangeError) {
                        _ = try DatePattern(String(name[name.index(after: colon)...]))
                    } catch {
                        throw arguments.usageError("option --type: \(error.message)")
                    }
                }
                throw arguments.usageError(
                    "option --type: \"\(name)\" is not one of \(GivenType.names.joined(separator: ", ")), "
                        + "decimal:DIGITS, day:FORMAT"
                )
            }
            options.types[table, default: [:]][column] = type
        }
        self.options = options
        reading = try ReadingArguments(arguments, ManagedObjectModel([]), isInferring: true)
    }

    private static func column(
        _ text: String, of option: String, named name: String?, _ arguments: ParsedArguments
    ) throws -> (table: String, column: String) {
        // The given name can contain periods.
        if let name, text.hasPrefix(name + "."), text.count > name.count + 1 {
            return (name, String(text.dropFirst(name.count + 1)))
        }
        guard let point = text.firstIndex(of: "."), point != text.startIndex, text.index(after: point) != text.endIndex
        else { throw arguments.usageError("option --\(option): \"\(text)\" is not TABLE.COLUMN") }
        return (String(text[..<point]), String(text[text.index(after: point)...]))
    }

    /// Reads the datasets and infers a model from them.
    ///
    /// - Parameters:
    ///   - paths: The datasets, and directories of datasets.
    ///   - interruption: The interruption that cancels the reading.
    ///   - stored: The keys of the datasets that a store already contains.
    ///   - format: A closure that returns the format of a dataset.
    /// - Returns: The model, with the reasons for its properties.
    /// - Throws: The errors in the arguments, in the datasets or in their model.
    func infer(
        _ paths: [String], _ interruption: Interruption, stored: StoredKeys? = nil,
        format: (String) throws -> DatasetFormat
    ) throws -> ModelInference.Inferred {
        guard !paths.isEmpty else { throw arguments.usageError("infer requires a dataset or a directory of datasets") }
        if arguments.value("as") == nil, name != nil, let path = paths.first(where: { PathKind($0) == .directory }) {
            throw ReadingArguments.entityOfDirectory(path, arguments)
        }
        let files = try paths.flatMap { try DatasetListing.files($0) }
        guard !files.isEmpty else {
            throw arguments.usageError("no file of \(paths.joined(separator: ", ")) is a CSV, TSV, JSON or NDJSON file")
        }
        if arguments.has("flatten"), name != nil, files.count > 1 {
            throw arguments.usageError(
                "--flatten can read only one document here, because the records of each document are numbered "
                    + "separately; import the other documents into the store with --infer")
        }
        let isReadTwice = files.count > 1 || stored != nil
        let replayed = try isReadTwice && paths.contains("-") ? ReplayedInput() : nil
        var datasets = try files.map { file in
            let path = file.path
            var reading = try reading.reading(try format(path), refusesOthers: files.count == 1)
            if let manifest = file.manifest { try reading.take(manifest) }
            return Dataset(
                name: name ?? DatasetListing.name(path),
                path: path == "-" ? DatasetListing.standardInputName : DatasetListing.fileName(path),
                reading: reading, part: nil, isReadAgain: path == "-" ? isReadTwice : ModelOfData.isReadAgain(path)
            ) {
                if path == "-" { try replayed?.rewind() }
                return path == "-" ? ByteInput.standardInput() : try ByteInput.file(at: path)
            }
        }
        if let column = arguments.value("source-column") {
            for (index, name) in ReadingArguments.sourceNames(files.map(\.path)).enumerated() {
                datasets[index].reading.constants[column] = name
            }
        }
        try refuseSameNames(datasets)
        var options = options
        let names = try self.names(&datasets, isNeeded: files.count > 1 || stored != nil)
        options.sharedNames = Self.shared(names, of: datasets, stored: stored)
        if let key = arguments.value("key-as") {
            for dataset in datasets where !dataset.reading.format.isTable {
                options.keysOfDocuments[dataset.name] = key
            }
        }
        if arguments.has("flatten") {
            datasets = try datasets.flatMap { try flattened($0, with: options, interruption) }
        }
        for dataset in datasets {
            options.parts[dataset.name] = dataset.part
            options.madeColumns[dataset.name] = dataset.madeColumns
        }
        var inference = ModelInference(names: datasets.map(\.name) + (stored?.names ?? []), options: options)
        for dataset in datasets {
            try inference.read(
                try dataset.input(), as: dataset.name, path: dataset.path, dataset.reading,
                isCancelled: interruption.isCancelled)
        }
        try stored?.read(into: &inference, for: zip(datasets.map(\.name), names).map { ($0, $1) })
        do {
            return try inference.result()
        } catch let error as ModelFileError {
            throw ModelFailure(path: paths.joined(separator: " "), findings: error.findings)
        }
    }

    /// Throws an error if a type or key is given for a column that the store already has.
    func refuseKnownColumns(_ stored: ManagedObjectModel) throws {
        let given =
            options.keys.map { ("key", $0.key, $0.value) }
            + options.types.flatMap { type in
                type.value.keys.map { ("type", type.key, $0) }
            }
        for (option, table, column) in given {
            guard let entity = stored.entities.first(where: { ($0.external.name ?? $0.name) == table }),
                stored.externalColumns(of: entity).contains(where: { $0.name == column })
            else { continue }
            throw arguments.usageError(
                "--\(option) can be used only for new columns, but the store already has \(table).\(column); use "
                    + "strata migrate to change the column")
        }
    }

    private func refuseSameNames(_ datasets: [Dataset]) throws {
        guard name == nil else { return }
        for (name, same) in Dictionary(grouping: datasets, by: \.name).sorted(by: { $0.key < $1.key })
        where same.count > 1 {
            throw arguments.usageError(
                "\(same.map(\.path).joined(separator: " and ")) would both have the name \(name); rename one, or "
                    + "combine them into one dataset with --as \(ShellWord.quoted(name))"
            )
        }
    }

    /// Returns the names of the datasets' columns, and restricts the mappings of each table to its own columns.
    private func names(_ datasets: inout [Dataset], isNeeded: Bool) throws -> [[String]] {
        guard isNeeded else { return datasets.map { _ in [] } }
        var names: [[String]] = []
        for dataset in datasets {
            names.append(
                dataset.isReadAgain
                    ? try NameSurvey.names(of: try dataset.input(), reading: dataset.reading, records: 100) : [])
        }
        let isKnown = datasets.map { $0.reading.format.isTable && $0.isReadAgain }
        let all = isKnown.contains(false) ? nil : Set(names.joined())
        for index in datasets.indices where datasets[index].isReadAgain {
            // A document can have a key in any record, so its keys are not all known.
            if isKnown[index] { datasets[index].reading.keepMappings(of: Set(names[index]), among: all) }
            let reading = datasets[index].reading
            names[index] = names[index].filter { !reading.omittedColumns.contains($0) }
                .map { reading.mapping[$0] ?? $0 }
        }
        return names
    }

    /// Returns the case-folded names that columns of several datasets share, or a column and a key of the store.
    private static func shared(_ names: [[String]], of datasets: [Dataset], stored: StoredKeys?) -> Set<String> {
        var owners: [String: Set<String>] = [:]
        for (names, dataset) in zip(names, datasets) {
            for name in names { owners[NameMatching.folded(name), default: []].insert(dataset.name) }
        }
        for (name, column) in stored?.keys ?? [] {
            owners[NameMatching.folded(column), default: []].insert("store: " + name)
        }
        return Set(owners.filter { $0.value.count > 1 }.keys)
    }

    /// A file, or one table of a document with nested records.
    private struct Dataset {
        let name: String
        let path: String
        var reading: ReadingOptions
        let part: ParentReference?
        var isReadAgain = true
        var madeColumns: Set<String> = []
        let input: () throws -> ByteInput
    }

    /// Returns the tables that a document contains, or the dataset itself if its format is a table.
    private func flattened(
        _ dataset: Dataset, with options: ModelInference.Options, _ interruption: Interruption
    ) throws -> [Dataset] {
        guard !dataset.reading.format.isTable else { return [dataset] }
        let input = try dataset.input()
        input.isCancelled = interruption.isCancelled
        let key = arguments.value("key-as")
        let document = try FlattenedDocument(
            input, name: dataset.name, reading: dataset.reading, atMost: options.sample ?? .max,
            mayBeKey: { column, table in
                let column = dataset.reading.mapping[column] ?? column
                return column == key || options.keys[table] == column || ModelInference.mayBeKey(column, of: table)
            })
        documents?[input.name] = document
        var ownerOptions = options
        ownerOptions.rejectsRecords = true
        let owners = Set(document.tables.compactMap { $0.owner?.table })
        var inference = ModelInference(names: document.tables.map(\.name), options: ownerOptions)
        for place in owners.sorted() {
            let table = document.tables[place]
            var reading = FlattenedLinks.bareReading(ofTable: place, in: document.tables, dataset.reading)
            // The first column and the candidate keys are read, because the first column is the most likely key.
            reading.omittedColumns.formUnion(table.columns.dropFirst().filter { !table.keys.contains($0) })
            try inference.read(
                try document.input(of: place), as: table.name, path: table.name, reading,
                isCancelled: interruption.isCancelled)
        }
        let links = FlattenedLinks(document.tables) { place in
            let owner = document.tables[place].owner.map { document.tables[$0.table] }
            let key = owner.flatMap { inference.keyColumn(of: $0.name) }
            return .init(key: key.flatMap { owner?.column(named: $0, dataset.reading) })
        }
        return document.tables.enumerated().map { place, table in
            Dataset(
                name: table.name, path: table.name + ".ndjson",
                reading: links.reading(ofTable: place, in: document.tables, dataset.reading),
                part: table.owner.flatMap { owner in
                    links.ownerColumn(of: place).map {
                        .init(
                            column: $0, owner: document.tables[owner.table].name,
                            position: links.positionColumn(of: place))
                    }
                }, madeColumns: links.madeColumns(of: place)
            ) { try document.input(of: place) }
        }
    }
}
