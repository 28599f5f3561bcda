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
        return "\(columns) \(what) match the entity \(nearest.entity.name): use --entity \(nearest.entity.name) if the "
            + "file contains its records\(knownEntities)"
    }

    private var hasStore: Bool {
        // The result is only advice. The code that opens the store reports errors of a server.
        arguments.value("store").map { (try? StorePlace($0).exists()) ?? false } ?? false
    }

    /// Advice if no model was named: an existing store keeps its own model.
    var modelAdvice: String {
        guard hasStore else { return "" }
        return "; a store keeps its first model: import data of another kind into a new store"
    }

    /// The entities of the store, if the store exists.
    var knownEntities: String {
        guard hasStore else { return "" }
        let names = model.entities.map(\.name)
        return " (the store has \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : ""))"
    }
}
