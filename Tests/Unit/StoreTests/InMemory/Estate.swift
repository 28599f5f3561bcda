import StrataPersistence

/// Houses with every kind of index: references to other rows and to houses, a one-to-one relationship, unique and
/// indexed attributes, and join rows.
enum Estate {
    static func model() throws -> ManagedObjectModel { try ManagedObjectModel([house, street, keyholder]) }

    /// The indexes of a house's columns.
    enum Column {
        static let code = 0
        static let name = 1
        static let price = 2
        static let ratio = 3
        static let isSold = 4
        static let street = 5
        static let annexOf = 6
        static let keyholder = 7
    }

    private static var house: EntityDescription {
        EntityDescription(
            "House",
            [
                .attribute(.init("code", .integer64, isOptional: true, isUnique: true)),
                .attribute(.init("name", .string, isOptional: true, isIndexed: true)),
                .attribute(.init("price", .decimal(scale: 2), isOptional: true, isIndexed: true)),
                .attribute(.init("ratio", .double, isOptional: true, isIndexed: true)),
                .attribute(.init("isSold", .boolean, isOptional: true, isIndexed: true)),
                .relationship(.init("street", to: "Street", .toOne, inverse: "houses")),
                .relationship(.init("annexOf", to: "House", .toOne, inverse: "annexes")),
                .relationship(.init("keyholder", to: "Keyholder", .toOne, inverse: "house")),
                .relationship(.init("annexes", to: "House", .toMany, inverse: "annexOf")),
                .relationship(.init("neighbours", to: "House", .toMany, inverse: "neighbours")),
            ])
    }

    private static var street: EntityDescription {
        EntityDescription(
            "Street",
            [
                .attribute(.init("name", .string, isIndexed: true)),
                .relationship(.init("houses", to: "House", .toMany, inverse: "street")),
            ])
    }

    private static var keyholder: EntityDescription {
        EntityDescription(
            "Keyholder",
            [
                .attribute(.init("name", .string)),
                .relationship(.init("house", to: "House", .toOne, inverse: "keyholder", ownsForeignKey: false)),
            ])
    }
}
