import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// The model that is inferred from the data of an import or a validation.
enum InferredImport {
    /// Returns the model inferred from the data, and prints a short report.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - job: The handling of invalid records.
    ///   - note: The first line of the report.
    ///   - documents: Receives the flattened documents, which the import reuses.
    ///   - permitsOtherDigits: A Boolean value that indicates whether a decimal may have more digits than its cells.
    /// - Returns: The model, or `nil` if `--model` names one or the store exists.
    /// - Throws: ``UsageError`` for options that need a model and for data that cannot be read twice, and the errors of
    ///   reading the data.
    static func model(
        _ arguments: ParsedArguments, _ job: JobArguments, note: String, documents: FlattenedDocuments,
        permitsOtherDigits: Bool = false
    ) throws -> Models.Opened? {
        guard arguments.value("model") == nil, try !Models.hasStore(arguments) else {
            try refuseOptionsOfInference(arguments)
            return nil
        }
        let paths = arguments.positionals
        // A missing file is reported before its name is interpreted.
        for path in paths where path != "-" && PathKind(path) == .nothing { _ = try ByteInput.file(at: path) }
        if let path = paths.first(where: { $0 != "-" && !ModelOfData.isReadAgain($0) }) {
            throw arguments.usageError(
                "\(path) cannot be read twice, which is required without a model; save the data in a file, or name a "
                    + "model with --model"
            )
        }
        for path in paths where arguments.value("format") != nil && path != "-" && PathKind(path) == .directory {
            throw ReadingArguments.optionOfSingleDatasets("format", path, arguments)
        }
        let interruption = Interruption()
        let replayed = try paths.contains("-") ? ReplayedInput(isCancelled: interruption.isCancelled) : nil
        let inferred = try InferenceArguments(
            arguments, rejectsRecords: job.onError == .reject, documents: documents,
            permitsOtherDigits: permitsOtherDigits
        ).infer(paths, interruption) {
            try DatasetListing.format(of: $0 == "-" ? nil : $0, arguments, otherwise: $0 == "-" ? nil : .csv)
        }
        try replayed?.rewind()
        if !arguments.has("quiet") {
            Console.note(note)
            for line in inferred.report.lines { Console.note(line) }
            // The command that only infers treats rejected records as errors, so it is not suggested here.
            Console.note(
                job.onError == .reject && arguments.command.name == "import"
                    ? "to change it: import into a new store with --type, --key or --map"
                    : "to change it: \(Self.command(arguments)), and \(arguments.command.name) with --model model.json")
        }
        try checkDateFormats(arguments, inferred.file.model)
        try checkWords(arguments, inferred.file.model)
        return Models.Opened(model: inferred.file.model)
    }

    /// Returns the command that writes the model, with the options that were given.
    private static func command(_ arguments: ParsedArguments) -> String {
        var words = ["strata", "model", "infer"] + arguments.positionals.map(ShellWord.quoted)
        let options = InferenceArguments.options.filter { !["output", "report", "sample"].contains($0.name) }
        for name in ["entity", "format"] + options.map(\.name) {
            if arguments.has(name) { words.append("--\(name)") }
            for value in arguments.allValues(name) { words += ["--\(name)", ShellWord.quoted(value)] }
        }
        return (words + ["--output", "model.json"]).joined(separator: " ")
    }

    /// Throws an error if options of inference are given although the model is known.
    private static func refuseOptionsOfInference(_ arguments: ParsedArguments) throws {
        // A resumed import was started with the same options.
        if arguments.has("resume") { return }
        for option in ["type", "key"] where !arguments.allValues(option).isEmpty {
            throw arguments.usageError(
                arguments.value("model") == nil
                    ? "--\(option) can be used only if the model is inferred, but the store has a model; use strata "
                        + "migrate to change the model, or --infer to add new columns"
                    : "--\(option) can be used only if the model is inferred, not with --model; change the model file "
                        + "instead")
        }
    }

    /// Throws an error for Boolean words without a Boolean column, and for separators of unknown columns.
    private static func checkWords(_ arguments: ParsedArguments, _ model: ManagedObjectModel) throws {
        let attributes = model.entities.flatMap(\.attributes)
        for option in ["true", "false"] where !arguments.allValues(option).isEmpty {
            guard attributes.contains(where: { $0.type == .boolean }) else {
                throw arguments.usageError("option --\(option): no column has only words for true and false")
            }
        }
        let mapped = arguments.allValues("map").compactMap { pair in
            pair.lastIndex(of: "=").map { String(pair[..<$0]) }
        }
        let names = Set(
            (model.entities.flatMap { model.datasetColumns(of: $0) } + mapped).map(NameMatching.folded))
        for option in ["decimal", "group", "true", "false"] {
            for value in arguments.allValues(option) {
                guard let sign = value.firstIndex(of: "="), sign != value.startIndex else { continue }
                let name = String(value[..<sign])
                guard !names.contains(NameMatching.folded(name)) else { continue }
                throw arguments.usageError("option --\(option): no dataset has a column \"\(name)\"")
            }
        }
    }

    /// Throws an error if no column has a given date format.
    private static func checkDateFormats(_ arguments: ParsedArguments, _ model: ManagedObjectModel) throws {
        let formats = model.entities.flatMap(\.attributes).compactMap(\.spelling.dateFormat)
            .flatMap { DateFormat.properties(of: $0).map(\.text) }
        for option in arguments.allValues("date-format") {
            let format = option.firstIndex(of: "=").map { String(option[option.index(after: $0)...]) }
            guard !formats.contains(option), !(format.map(formats.contains) ?? false) else { continue }
            throw arguments.usageError(
                "option --date-format: no column has only cells in the format \(ShellWord.quoted(option)); the lines "
                    + "above name the cells that have another format")
        }
    }

    /// Returns the model of an existing store extended by the data's new columns, and reports the additions.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - job: The handling of invalid records.
    /// - Returns: The extended model and the store's model, or `nil` without `--infer` or for a new store.
    /// - Throws: ``UsageError`` if the data cannot be read twice, and the errors of reading the data.
    static func grown(
        _ arguments: ParsedArguments, _ job: JobArguments
    ) throws -> (model: Models.Opened, stored: ManagedObjectModel)? {
        guard arguments.has("infer") else { return nil }
        if arguments.value("model") != nil {
            throw arguments.usageError("--infer and --model cannot be combined: --infer infers the model from the data")
        }
        // The model of a new store is always inferred.
        guard try Models.hasStore(arguments) else { return nil }
        let paths = arguments.positionals
        if let path = paths.first(where: { $0 != "-" && !ModelOfData.isReadAgain($0) }) {
            throw arguments.usageError("\(path) cannot be read twice, which --infer requires; save the data in a file")
        }
        let stored = try Models.opened(arguments).model
        let interruption = Interruption()
        let replayed = try paths.contains("-") ? ReplayedInput(isCancelled: interruption.isCancelled) : nil
        let inferred = try Stores.withContainer(try Stores.description(arguments).readOnly, stored) { container in
            let inference = try InferenceArguments(arguments, rejectsRecords: job.onError == .reject, stored)
            try inference.refuseKnownColumns(stored)
            return try inference.infer(paths, interruption, stored: StoredKeys(container, stored)) {
                try DatasetListing.format(of: $0 == "-" ? nil : $0, arguments, otherwise: $0 == "-" ? nil : .csv)
            }
        }
        try replayed?.rewind()
        let growth = ModelGrowth(of: stored, by: inferred.file.model, inferred.report)
        let model: ManagedObjectModel
        do { model = try growth.model() } catch let error as PersistenceError {
            throw arguments.usageError(
                "the data does not fit the store's model (\(error)); write a model that fits both, and migrate the "
                    + "store to it"
            )
        }
        if !arguments.has("quiet") {
            Console.note(
                growth.additions.isEmpty
                    ? "the store's model already has all datasets and columns" : "added to the store's model:")
            for addition in growth.additions { Console.note("  \(addition)") }
            // These notes explain, among other things, why a new column is not a reference.
            for entity in inferred.report.entities {
                for note in entity.notes where note.hasSuffix("no reference") || note.hasSuffix(": null") {
                    Console.note("  \(entity.source): \(note)")
                }
            }
        }
        return (Models.Opened(model: model), stored)
    }
}
