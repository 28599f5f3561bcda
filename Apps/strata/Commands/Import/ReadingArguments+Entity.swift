import Foundation
import StrataInterchange
import StrataPersistence

/// What is said where no name tells whose a dataset is.
extension ReadingArguments {
    /// What to do with a file whose columns are those of an entity, or most of them.
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
        // What a store has is advice here; what hinders looking at one on a server is said by who opens it.
        arguments.value("store").map { (try? StorePlace($0).exists()) ?? false } ?? false
    }

    /// What else there is where no model was named: a store that is there keeps its own.
    var modelAdvice: String {
        guard hasStore else { return "" }
        return "; a store keeps the model that it was made with: for data of another kind, "
            + "import all the files into a new one"
    }

    /// The entities there are, where a store that is there has them.
    var knownEntities: String {
        guard hasStore else { return "" }
        let names = model.entities.map(\.name)
        return " (the store has \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : ""))"
    }
}
