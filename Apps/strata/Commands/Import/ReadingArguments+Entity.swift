import Foundation
import StrataInterchange
import StrataPersistence

/// Advice in errors about a dataset whose name does not identify an entity.
extension ReadingArguments {
    /// Returns advice for a file that has all or most of an entity's columns.
    func nearestEntity(_ path: String, _ reading: ReadingOptions) throws -> String? {
        guard path != "-", ModelOfData.isReadAgain(path),
            let nearest = try NameSurvey.nearest(to: ByteInput.file(at: path), in: model, reading: reading)
        else { return nil }
        let columns =
            nearest.found == nearest.count ? "all \(nearest.count)" : "\(nearest.found) of its \(nearest.count)"
        let what = reading.format.isTable ? "columns" : "keys"
        return "\(columns) \(what) are those of \(nearest.entity.name): "
            + "say --entity \(nearest.entity.name) if that is what it holds\(knownEntities)"
    }

    private var hasStore: Bool {
        // The result is only advice. The code that opens the store reports errors of a server.
        arguments.value("store").map { (try? StorePlace($0).exists()) ?? false } ?? false
    }

    /// Advice if no model was named: an existing store keeps its own model.
    var modelAdvice: String {
        guard hasStore else { return "" }
        return "; a store keeps the model that it was made with: for data of another kind, "
            + "import all the files into a new one"
    }

    /// The entities of the store, if the store exists.
    var knownEntities: String {
        guard hasStore else { return "" }
        let names = model.entities.map(\.name)
        return " (the store has \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : ""))"
    }
}
