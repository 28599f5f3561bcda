import StrataCore

/// The locations of entities and attributes in a description's file, which later checks add to their errors.
///
/// Two values of this type are always equal, so that locations do not affect the comparison of descriptions.
///
/// A description is read first and checked later, when the JSON does not exist any more. The locations are therefore
/// stored with the description.
struct DescriptionPlaces: Sendable, Hashable {
    private var entities: [String: JSONValue.Place] = [:]
    private var attributes: [String: [String: JSONValue.Place]] = [:]

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into _: inout Hasher) {}

    /// Stores the locations of an entity and of its attributes.
    ///
    /// - Parameters:
    ///   - entity: The entity that is described.
    ///   - value: The JSON object that describes it.
    mutating func note(_ entity: FixtureEntity, _ value: JSONValue) {
        entities[entity.name] = value.place
        guard let stated = value["attributes"] else { return }
        for field in entity.fields { attributes[entity.name, default: [:]][field.name] = stated[field.name]?.place }
    }

    /// The names of the attributes that the file describes explicitly, by the names of their entities.
    ///
    /// The adjustment of a description to a model does not change these attributes.
    var stated: [String: Set<String>] { attributes.mapValues { Set($0.keys) } }

    /// Returns an error with the location of its attribute or entity; an error that has a location is unchanged.
    func located(_ error: FixtureError) -> FixtureError {
        guard error.line == nil, let entity = error.entity else { return error }
        let place = error.attribute.flatMap { attributes[entity]?[$0] } ?? entities[entity]
        var located = error
        located.line = place?.line
        located.column = place?.column
        return located
    }
}
