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

    /// An error about a name that the model does not have, with what to do where nobody said which model it is of.
    func hinted(_ error: FixtureError) -> FixtureError {
        guard schema == nil, error.code == .unknown else { return error }
        var hinted = error
        hinted.message += "; of another model than the reference one, name it with --model"
        return hinted
    }
}
