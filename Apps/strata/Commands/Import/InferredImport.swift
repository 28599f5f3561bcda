import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// The model that is inferred from the data of an import or a validation.
enum InferredImport {
    /// The options that name attributes or entities of a model.
    private static let optionsOfModel = ["entity", "map", "key-as", "value-as"]

    /// Returns the model inferred from the data, and reports it in a few lines.
    ///
    /// - Parameters:
    ///   - arguments: The command's.
    ///   - note: The first line of the report.
    /// - Returns: The model; `nil` if `--model` names one or the store exists.
    /// - Throws: ``UsageError`` for options that need a model and for data that cannot be read twice, and the errors of
    ///   reading the data.
    static func model(_ arguments: ParsedArguments, note: String) throws -> Models.Opened? {
        guard arguments.value("model") == nil, try !Models.hasStore(arguments) else { return nil }
        for option in optionsOfModel where !arguments.allValues(option).isEmpty {
            throw arguments.usageError(
                "--\(option) needs a model, and there is none; name one with --model MODEL, or leave out --\(option) "
                    + "to have the model inferred from the data")
        }
        let paths = arguments.positionals
        // A missing file is reported before its name is interpreted.
        for path in paths where path != "-" && PathKind(path) == .nothing { _ = try ByteInput.file(at: path) }
        if let path = paths.first(where: { $0 != "-" && !ModelOfData.isReadAgain($0) }) {
            throw arguments.usageError(
                "\(path) cannot be read twice, as it has to be where no model is named; save it in a file, or name a model with --model"
            )
        }
        for path in paths where arguments.value("format") != nil && path != "-" && PathKind(path) == .directory {
            throw ReadingArguments.optionOfSingleDatasets("format", path, arguments)
        }
        let interruption = Interruption()
        let replayed = try paths.contains("-") ? ReplayedInput(isCancelled: interruption.isCancelled) : nil
        let inferred = try InferenceArguments(arguments).infer(paths, interruption) {
            try Stores.format(arguments, file: $0 == "-" ? nil : $0, otherwise: $0 == "-" ? nil : .csv)
        }
        try replayed?.rewind()
        if !arguments.has("quiet") {
            Console.note(note)
            for line in inferred.report.lines { Console.note(line) }
            let flag = arguments.has("flatten") ? " --flatten" : ""
            Console.note(
                "to change it: strata model infer \(paths.joined(separator: " "))\(flag) --output model.json, and "
                    + "\(arguments.command.name) with --model model.json")
        }
        return Models.Opened(model: inferred.file.model)
    }

    /// The model of a store that is there, with what the files have beside it; `nil` where nobody asked for that.
    ///
    /// - Throws: ``UsageError`` where there is no store, or the data cannot be read twice; what hinders the reading.
    static func grown(_ arguments: ParsedArguments) throws -> Models.Opened? {
        guard arguments.has("infer") else { return nil }
        for name in ["model", "entity"] where arguments.value(name) != nil {
            throw arguments.usageError("--infer makes the model of the data, and goes without --\(name)")
        }
        // The model of a new store is inferred in any case.
        guard try Models.hasStore(arguments) else { return nil }
        let paths = arguments.positionals
        if let path = paths.first(where: { !ModelOfData.isReadAgain($0) }) {
            throw arguments.usageError(
                "\(path == "-" ? "standard input" : path) cannot be read twice, as it has to be with --infer; save it in a file"
            )
        }
        let stored = try Models.opened(arguments).model
        let inferred = try InferenceArguments(arguments).infer(paths, Interruption()) {
            try Stores.format(arguments, file: $0, otherwise: .csv)
        }
        let growth = ModelGrowth(of: stored, by: inferred.file.model)
        let model: ManagedObjectModel
        do { model = try growth.model() } catch let error as PersistenceError {
            throw arguments.usageError(
                "what the data have does not go with the store's model (\(error)); make a model of both, and let the store follow it with migrate"
            )
        }
        if !arguments.has("quiet") {
            Console.note(
                growth.additions.isEmpty ? "the store's model has all of it already" : "added to the store's model:")
            for addition in growth.additions { Console.note("  \(addition)") }
        }
        return Models.Opened(model: model)
    }
}
