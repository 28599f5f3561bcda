import Foundation
import StrataInterchange
import StrataPersistence
import StrataTesting

/// Models whose files refer by keys, in lists and in join tables.
enum LinkModels {
    private static func key(_ name: String) -> EntityDescription.Property {
        .attribute(AttributeDescription(name, .string, isUnique: true))
    }

    /// Returns a model of nodes that refer to nodes as a parent, in a list and in a join table.
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

    /// Returns a model of friends who are referenced by name, in a list or in a join table.
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

    /// Returns a model of articles with their tags in a list of whole numbers.
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

    /// Returns a model with a one-to-one relationship by code.
    static func counterparts() throws -> ManagedObjectModel {
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

/// The reported problems of an import.
final class ProblemRecorder {
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
