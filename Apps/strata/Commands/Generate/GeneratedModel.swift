import StrataFixtures
import StrataPersistence

/// The model whose rows are made, and what fixtures have of it.
struct GeneratedModel {
    /// The model.
    let model: ManagedObjectModel
    /// Its entities as they follow from the model; `nil` for the reference model, whose fixtures are written down.
    let schema: [FixtureEntity]?

    /// The model that the arguments name, or that their store has.
    ///
    /// - Throws: What hinders it, with the path; ``FixtureError`` where an attribute has no values.
    init(_ arguments: ParsedArguments) throws {
        let model = try Models.model(arguments)
        self.model = model
        let isNamed = try arguments.value("model").map { try Models.isFile($0) } ?? false
        let isReference = try !isNamed && model.json() == Models.reference().json()
        schema = isReference ? nil : try FixtureEntity.all(of: model)
    }

    /// An error about a manifest whose entities the reference model does not have, with what to do where nobody said of which model they are.
    func hinted(_ error: FixtureError) -> FixtureError {
        let names = model.entities.map(\.name).joined(separator: ", ")
        guard schema == nil, error.code == .unknown, error.message.hasSuffix("there are \(names)") else { return error }
        var hinted = error
        hinted.message += "; files of another model are checked with --model MODEL"
        return hinted
    }
}
