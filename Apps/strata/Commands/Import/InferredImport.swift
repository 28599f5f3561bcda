import Foundation
import StrataFixtureDatasets
import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// The model of an import into a new store where nobody named one, and the files are not the reference model's.
enum InferredImport {
    /// The model made of the data, and told in a few lines; `nil` where there is another.
    ///
    /// - Throws: ``UsageError`` where the data cannot be read twice; what hinders the reading.
    static func model(_ arguments: ParsedArguments) throws -> Models.Opened? {
        let paths = arguments.positionals
        guard try isAsked(arguments) else { return nil }
        if let path = paths.first(where: { $0 != "-" && !ModelOfData.isReadAgain($0) }) {
            throw arguments.usageError(
                "\(path) cannot be read twice, as it has to be where no model is named; save it in a file, or name a model with --model"
            )
        }
        let interruption = Interruption()
        let replayed = try paths.contains("-") ? ReplayedInput(isCancelled: interruption.isCancelled) : nil
        let inferred = try InferenceArguments(arguments).infer(paths, interruption) {
            try Stores.format(arguments, file: $0 == "-" ? nil : $0, otherwise: $0 == "-" ? nil : .csv)
        }
        try replayed?.rewind()
        if !arguments.has("quiet") {
            Console.note("no model was named: made one of the data, which the store keeps")
            for line in inferred.report.lines { Console.note(line) }
            let flag = arguments.has("flatten") ? " --flatten" : ""
            Console.note(
                "to change it: strata model infer \(paths.joined(separator: " "))\(flag) --output model.json, and import with --model model.json"
            )
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
        let store = try arguments.required("store")
        // A new store is made of the data in any case.
        guard try StorePlace(store).exists() else { return nil }
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

    /// Whether nothing says what the files are: no model, no entity, no store, and they are not the reference model's.
    private static func isAsked(_ arguments: ParsedArguments) throws -> Bool {
        guard arguments.value("model") == nil, arguments.value("entity") == nil,
            // Who says which attribute a column is means a model.
            arguments.allValues("map").isEmpty,
            let store = arguments.value("store"), !store.isEmpty, try !StorePlace(store).exists()
        else { return false }
        let reference = try Models.reference()
        var named: [ReferenceFile] = []
        var hasOthers = false
        for path in arguments.positionals {
            guard path != "-" else {
                hasOthers = true
                continue
            }
            guard path.split(separator: "/").last.map(String.init) != DatasetManifest.fileName else { continue }
            let kind = PathKind(path)
            guard kind != .nothing else { continue }
            guard kind == .directory else {
                let file = ReferenceFile(path, in: reference)
                if let file { named.append(file) } else { hasOthers = true }
                continue
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                .filter { !$0.hasPrefix(".") && DatasetFormat(fileName: $0) != nil }
            // A manifest says whose they are.
            guard !names.contains(DatasetManifest.fileName) else { continue }
            let files = names.compactMap { ReferenceFile(path.withoutTrailingSlashes + "/" + $0, in: reference) }
            named += files
            // A directory of the reference model's files may have others beside them.
            if files.isEmpty, !names.isEmpty { hasOthers = true }
        }
        if hasOthers { return true }
        let misfits = try named.map { try $0.misfit(arguments, reference) }
        guard !misfits.isEmpty, !misfits.contains(where: { $0 == nil }) else { return false }
        if !arguments.has("quiet") {
            for (file, misfit) in zip(named, misfits) {
                Console.note(
                    "\(file.path) is not taken for \(file.entity.name) of the reference model (--model reference would): "
                        + (misfit?.message ?? ""))
            }
        }
        return true
    }
}

/// A file that has the name of one of the reference model's entities.
private struct ReferenceFile {
    let path: String
    let entity: EntityDescription

    init?(_ path: String, in reference: ManagedObjectModel) {
        guard let name = DatasetDirectory.entity(ofFile: path, in: reference), let entity = reference[name] else {
            return nil
        }
        (self.path, self.entity) = (path, entity)
    }

    /// What of its columns is not the entity's; `nil` where it is the entity's, or where it cannot be read twice.
    func misfit(_ arguments: ParsedArguments, _ reference: ManagedObjectModel) throws -> InterchangeError? {
        guard ModelOfData.isReadAgain(path) else { return nil }
        let format = try Stores.format(arguments, file: path, otherwise: nil)
        let reading = try ReadingArguments(arguments, reference).reading(format, refusesOthers: false)
        return try NameSurvey.misfit(
            of: try ByteInput.file(at: path), against: entity, in: reference, reading: reading)
    }
}
