public import Persistence

extension StoreContract {
    /// The model of the checks: every type, optional and mandatory, with defaults, rules, unique, indexed and constant attributes, and
    /// references to others and to itself.
    ///
    /// - Returns: The model.
    /// - Throws: `PersistenceError` if the model contradicted itself; the contract's own tests see that it does not.
    public static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([sample, owner, part, node])
    }

    /// One attribute of each type.
    private static var sample: EntityDescription {
        EntityDescription(
            "Sample",
            [
                .attribute(.init("label", .string, defaultValue: .constant(.string("none")))),
                .attribute(.init("text", .string, isOptional: true, isIndexed: true)),
                .attribute(.init("short", .integer16, isOptional: true)),
                .attribute(.init("medium", .integer32, isOptional: true)),
                .attribute(.init("long", .integer64, isOptional: true, isIndexed: true)),
                .attribute(.init("ratio", .double, isOptional: true)),
                .attribute(.init("price", .decimal(scale: 2), isOptional: true)),
                .attribute(.init("weight", .decimal(scale: 4), isOptional: true)),
                .attribute(.init("flag", .boolean, isOptional: true)),
                .attribute(.init("instant", .date, isOptional: true)),
                .attribute(.init("token", .uuid, isOptional: true)),
                .attribute(.init("bytes", .binary, isOptional: true)),
            ])
    }

    /// Unique attributes, a constant one, and the many side of a relationship.
    private static var owner: EntityDescription {
        EntityDescription(
            "Owner",
            [
                .attribute(.init("code", .string, isOptional: true, rules: [.maximumLength(40)], isUnique: true)),
                .attribute(
                    .init("rank", .integer64, defaultValue: .constant(.integer(0)), rules: [.minimum(.integer(0))])),
                .attribute(.init("since", .date, isOptional: true, defaultValue: .now, isConstant: true)),
                .relationship(.init("parts", to: "Part", .toMany, inverse: "owner")),
            ])
    }

    private static var part: EntityDescription {
        EntityDescription(
            "Part",
            [
                .attribute(.init("name", .string)),
                .relationship(.init("owner", to: "Owner", .toOne, inverse: "parts")),
            ])
    }

    /// An entity that leads to itself.
    private static var node: EntityDescription {
        EntityDescription(
            "Node",
            [
                .attribute(.init("title", .string, isOptional: true)),
                .relationship(.init("parent", to: "Node", .toOne)),
            ])
    }
}
