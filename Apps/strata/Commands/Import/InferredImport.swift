import Foundation
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
        if let path = paths.first(where: { !ModelOfData.isReadAgain($0) }) {
            throw arguments.usageError(
                "\(path) cannot be read twice, as it has to be where no model is named; save it in a file, or name a model with --model"
            )
        }
        let inferred = try InferenceArguments(arguments).infer(paths, Interruption())
        if !arguments.has("quiet") {
            Console.note("no model was named: made one of the data, which the store keeps")
            for line in inferred.report.lines { Console.note(line) }
            Console.note(
                "to change it: strata model infer \(paths.joined(separator: " ")) --output model.json, and import with --model model.json"
            )
        }
        return Models.Opened(model: inferred.file.model)
    }

    /// Whether nothing says what the files are: no model, no entity, no store, no name of the reference model's.
    private static func isAsked(_ arguments: ParsedArguments) throws -> Bool {
        guard arguments.value("model") == nil, arguments.value("entity") == nil,
            // Who says which attribute a column is means a model.
            arguments.allValues("map").isEmpty,
            let store = arguments.value("store"), !store.isEmpty, !FileManager.default.fileExists(atPath: store)
        else { return false }
        let reference = try Models.reference()
        return try arguments.positionals.contains { path in
            guard path != "-" else { return false }
            guard path.split(separator: "/").last.map(String.init) != DatasetManifest.fileName else { return false }
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return false }
            guard isDirectory.boolValue else { return DatasetDirectory.entity(ofFile: path, in: reference) == nil }
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            // A manifest says whose they are; a directory of the reference model's files may have others beside them.
            return !names.contains(DatasetManifest.fileName)
                && names.contains { !$0.hasPrefix(".") && DatasetFormat(fileName: $0) != nil }
                && !names.contains {
                    DatasetFormat(fileName: $0) != nil && DatasetDirectory.entity(ofFile: $0, in: reference) != nil
                }
        }
    }
}
