import StrataCore

/// Where a description that was read says what, so that what is found wrong later is found there too.
///
/// Has no say in whether two descriptions are the same.
struct DescriptionPlaces: Sendable, Hashable {
    private var entities: [String: JSONValue.Place] = [:]
    private var attributes: [String: [String: JSONValue.Place]] = [:]

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into _: inout Hasher) {}

    /// Remembers where an entity stands, and its attributes.
    mutating func note(_ entity: FixtureEntity, _ value: JSONValue) {
        entities[entity.name] = value.place
        guard let stated = value["attributes"] else { return }
        for field in entity.fields { attributes[entity.name, default: [:]][field.name] = stated[field.name]?.place }
    }

    /// The attributes of each entity about which something is said.
    var stated: [String: Set<String>] { attributes.mapValues { Set($0.keys) } }

    /// An error with the place of its attribute, or else of its entity, unless it has one.
    func located(_ error: FixtureError) -> FixtureError {
        guard error.line == nil, let entity = error.entity else { return error }
        let place = error.attribute.flatMap { attributes[entity]?[$0] } ?? entities[entity]
        var located = error
        located.line = place?.line
        located.column = place?.column
        return located
    }
}
