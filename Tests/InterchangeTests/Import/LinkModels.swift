import Foundation
import StrataInterchange
import StrataPersistence
import StrataTesting

/// Models whose files refer by keys, in lists and in tables of pairs.
enum LinkModels {
    private static func key(_ name: String) -> EntityDescription.Property {
        .attribute(AttributeDescription(name, .string, isUnique: true))
    }

    /// Nodes that name nodes in all ways: one as the parent, some in a list, some in a table of pairs.
    static func nodes(identifiers: ExternalForm.Identifiers = .own) throws -> ManagedObjectModel {
        var next = RelationshipDescription("next", to: "Node", .toMany, inverse: "previous", isOrdered: true)
        next.externalLink = .list(ExternalList(column: "next", separator: ";", property: "code"))
        var friends = RelationshipDescription("friends", to: "Node", .toMany, inverse: "friendsOf")
        friends.externalLink = .table(
            ExternalLinkTable(
                "friends", owner: ExternalKey("code", column: "who"), destination: ExternalKey("code", column: "whom")))
        return try ManagedObjectModel([
            EntityDescription(
                "Node",
                [
                    key("code"),
                    .relationship(
                        RelationshipDescription(
                            "parent", to: "Node", .toOne, inverse: "children",
                            externalKey: ExternalKey("code", column: "parent"))),
                    .relationship(RelationshipDescription("children", to: "Node", .toMany, inverse: "parent")),
                    .relationship(next),
                    .relationship(RelationshipDescription("previous", to: "Node", .toMany, inverse: "next")),
                    .relationship(friends),
                    .relationship(RelationshipDescription("friendsOf", to: "Node", .toMany, inverse: "friends")),
                ], external: ExternalForm(identifiers: identifiers))
        ])
    }

    /// Friends of each other by their names, in a list or in a table of pairs.
    static func friends(inList: Bool) throws -> ManagedObjectModel {
        var friends = RelationshipDescription("friends", to: "Person", .toMany, inverse: "friends")
        friends.externalLink =
            inList
            ? .list(ExternalList(column: "friends", separator: ";", property: "name"))
            : .table(
                ExternalLinkTable(
                    "friends", owner: ExternalKey("name", column: "who"),
                    destination: ExternalKey("name", column: "whom"))
            )
        return try ManagedObjectModel([
            EntityDescription(
                "Person", [key("name"), .relationship(friends)], external: ExternalForm(identifiers: .own))
        ])
    }

    /// Articles with their tags in a list of whole numbers, and nothing else.
    static func numbers() throws -> ManagedObjectModel {
        var tags = RelationshipDescription("tags", to: "Tag", .toMany, inverse: "articles", isOrdered: true)
        tags.externalLink = .list(ExternalList(column: "tags", property: "number"))
        return try ManagedObjectModel([
            EntityDescription(
                "Article", [key("title"), .relationship(tags)], external: ExternalForm(identifiers: .own)),
            EntityDescription(
                "Tag",
                [
                    .attribute(AttributeDescription("number", .integer32, isUnique: true)),
                    .relationship(RelationshipDescription("articles", to: "Article", .toMany, inverse: "tags")),
                ], external: ExternalForm(identifiers: .own)),
        ])
    }

    /// One-to-one, to what is named by a code.
    static func partners() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "A",
                [
                    key("code"),
                    .relationship(
                        RelationshipDescription(
                            "to", to: "A", .toOne, inverse: "from", externalKey: ExternalKey("code", column: "to"))),
                    .relationship(
                        RelationshipDescription("from", to: "A", .toOne, inverse: "to", ownsForeignKey: false)),
                ], external: ExternalForm(identifiers: .own))
        ])
    }
}

/// What an import told of.
final class ToldProblems {
    var errors: [String] = []
    var originals: [String] = []

    func attach(_ options: inout ImportOptions) {
        options.keepsOriginals = true
        options.onProblem = { [self] problem in
            errors.append(problem.error.description)
            originals.append(String(decoding: problem.original, as: UTF8.self))
        }
    }
}
