public import StrataPersistence

extension StoreContract {
    /// Returns the model of the checks.
    ///
    /// The model contains every type, optional and mandatory, with defaults and rules. It contains unique, indexed and
    /// immutable attributes, and attributes that are unique or indexed together. It contains every kind of
    /// relationship: to other entities, to the entity itself, in a cycle, one-to-one, many-to-many, ordered and
    /// symmetric.
    ///
    /// The checks pass this model to the factory. A store that creates tables must accept the names of the entities and
    /// attributes, some of which are words of SQL: `row`, `number`, `text`.
    ///
    /// | entities | used for |
    /// |---|---|
    /// | Sample, Reading | values, comparisons, calculations, texts with a format |
    /// | Owner, Part | attributes that are unique, immutable or have a default; to-one relationships |
    /// | Node | a tree: a relationship of an entity to itself |
    /// | Department, Person, Passport | cycles, one-to-one, symmetric and ordered relationships |
    /// | Article, Tag, Playlist, Song | many-to-many relationships, unordered and ordered |
    /// | Room, Seat | attributes that are unique or indexed together |
    ///
    /// - Returns: The model.
    /// - Throws: `PersistenceError` if the model is contradictory; the contract's own tests verify that it is not.
    public static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            [sample, owner, part, node, department, person, passport, article, tag, playlist, song, room, seat, formed])
    }

    /// An entity with one attribute of each type.
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
                .attribute(.init("birthday", .day, isOptional: true)),
                .attribute(.init("opening", .timeOfDay, isOptional: true)),
            ])
    }

    /// An entity with texts that have a format, one of them indexed.
    private static var formed: EntityDescription {
        EntityDescription(
            "Reading",
            [
                .attribute(.init("moment", .string, isOptional: true, domain: TextFormat.dateTime.domain)),
                .attribute(
                    .init("figure", .string, isOptional: true, isIndexed: true, domain: TextFormat.number.domain)),
            ])
    }

    /// An entity with unique attributes, an immutable one, and the to-many side of a relationship.
    private static var owner: EntityDescription {
        EntityDescription(
            "Owner",
            [
                .attribute(.init("code", .string, isOptional: true, rules: [.maximumLength(40)], isUnique: true)),
                .attribute(
                    .init("rank", .integer64, defaultValue: .constant(.integer(0)), rules: [.minimum(.integer(0))])),
                .attribute(.init("since", .date, isOptional: true, defaultValue: .now, isImmutable: true)),
                .relationship(.init("parts", to: "Part", .toMany, inverse: "owner")),
            ])
    }

    /// An entity with the column of a to-one relationship, whose name is mandatory.
    private static var part: EntityDescription {
        EntityDescription(
            "Part",
            [
                .attribute(.init("name", .string)),
                .relationship(.init("owner", to: "Owner", .toOne, inverse: "parts")),
            ])
    }

    /// A tree: an entity with a relationship to itself and its inverse.
    private static var node: EntityDescription {
        EntityDescription(
            "Node",
            [
                .attribute(.init("title", .string, isOptional: true)),
                .relationship(.init("parent", to: "Node", .toOne, inverse: "children")),
                .relationship(.init("children", to: "Node", .toMany, inverse: "parent")),
            ])
    }

    /// The first entity of a cycle: the head of a department is one of its people.
    private static var department: EntityDescription {
        EntityDescription(
            "Department",
            [
                .attribute(.init("name", .string)),
                .relationship(.init("head", to: "Person", .toOne)),
                .relationship(.init("members", to: "Person", .toMany, inverse: "department")),
            ])
    }

    /// The second entity of the cycle.
    ///
    /// It also has the side without a column of a one-to-one relationship, and a symmetric relationship. Another
    /// relationship to itself is ordered on the target's side.
    private static var person: EntityDescription {
        EntityDescription(
            "Person",
            [
                .attribute(.init("name", .string)),
                .attribute(.init("age", .integer64, isOptional: true)),
                .relationship(.init("department", to: "Department", .toOne, inverse: "members")),
                .relationship(.init("passport", to: "Passport", .toOne, inverse: "holder", ownsForeignKey: false)),
                .relationship(.init("friends", to: "Person", .toMany, inverse: "friends")),
                .relationship(.init("follows", to: "Person", .toMany, inverse: "followers")),
                .relationship(.init("followers", to: "Person", .toMany, inverse: "follows", isOrdered: true)),
            ])
    }

    /// The entity with the column of a one-to-one relationship.
    private static var passport: EntityDescription {
        EntityDescription(
            "Passport",
            [
                .attribute(.init("number", .string)),
                .relationship(.init("holder", to: "Person", .toOne, inverse: "passport")),
            ])
    }

    /// An entity with an unordered many-to-many relationship and a unique attribute.
    private static var article: EntityDescription {
        EntityDescription(
            "Article",
            [
                .attribute(.init("slug", .string, isOptional: true, isUnique: true)),
                .relationship(.init("tags", to: "Tag", .toMany, inverse: "articles")),
            ])
    }

    /// The other entity of the unordered many-to-many relationship.
    private static var tag: EntityDescription {
        EntityDescription(
            "Tag",
            [
                .attribute(.init("word", .string)),
                .relationship(.init("articles", to: "Article", .toMany, inverse: "tags")),
            ])
    }

    /// An entity with an ordered many-to-many relationship; a song may be in several playlists.
    private static var playlist: EntityDescription {
        EntityDescription(
            "Playlist",
            [
                .attribute(.init("name", .string)),
                .relationship(.init("songs", to: "Song", .toMany, inverse: "playlists", isOrdered: true)),
            ])
    }

    /// The destination of a reference that is unique together with an attribute.
    private static var room: EntityDescription {
        EntityDescription(
            "Room",
            [
                .attribute(.init("name", .string, isOptional: true)),
                .relationship(.init("seats", to: "Seat", .toMany, inverse: "room")),
            ])
    }

    /// An entity with attributes that are unique together.
    ///
    /// One of them is also unique together with a relationship, and some attributes are indexed together.
    private static var seat: EntityDescription {
        EntityDescription(
            "Seat",
            [
                .attribute(.init("row", .string, isOptional: true)),
                .attribute(.init("number", .integer64, isOptional: true)),
                .attribute(.init("label", .string, isOptional: true)),
                .attribute(.init("price", .decimal(scale: 2), isOptional: true)),
                .relationship(.init("room", to: "Room", .toOne, inverse: "seats")),
            ], uniquenessConstraints: [["row", "number"], ["label", "room"]], indexes: [["price", "row"]])
    }

    /// The other entity of the ordered many-to-many relationship, whose side has no order.
    private static var song: EntityDescription {
        EntityDescription(
            "Song",
            [
                .attribute(.init("title", .string)),
                .relationship(.init("playlists", to: "Playlist", .toMany, inverse: "songs")),
            ])
    }
}
