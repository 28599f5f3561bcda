import Foundation
import StrataPersistence

/// The entities of a ``RandomCompany`` as record types, so that contexts can work with them.
enum Company {
    static func model() throws -> ManagedObjectModel { try ManagedObjectModel(records: types) }

    static let types: [any CompanyRecord.Type] = [
        Node.self, Department.self, Person.self, Passport.self, Article.self, Label.self,
    ]

    static func type(of entity: String) -> (any CompanyRecord.Type)? {
        func name<Record: CompanyRecord>(_ type: Record.Type) -> String { Record.entity.name }
        return types.first { name($0) == entity }
    }
}

/// A record type that says by what its records may be sorted.
protocol CompanyRecord: PersistentRecord where ID == LibraryID {
    static var sortPaths: [any PartialKeyPath<Self> & Sendable] { get }
    /// Sort keys across relationships.
    static var sortKeys: [SortKey<Self>] { get }
}

extension CompanyRecord {
    static var sortKeys: [SortKey<Self>] { [] }
}

extension Company {
    struct Node: CompanyRecord {
        let id: LibraryID
        var title: String?
        var parent: LibraryID?

        static let children = ToMany<Node, Node>("children", to: "Node", inverse: "parent")
        static let sortPaths: [any PartialKeyPath<Node> & Sendable] = [\.title, \.parent, \.id]
        static var sortKeys: [SortKey<Node>] { [SortKey(\.parent, \Node.title), SortKey("parent.parent.title")] }
        static let entity = RecordEntity<Node>(
            "Node", id: \.id,
            [
                .attribute("title", \.title), .toOne("parent", \.parent, to: "Node", inverse: "children"),
                .relationship(children),
            ]
        ) { Node(id: try $0.id(), title: try $0.next(), parent: try $0.next()) }
    }

    struct Department: CompanyRecord {
        let id: LibraryID
        var name: String
        var head: LibraryID?

        static let members = ToMany<Department, Person>("members", to: "Person", inverse: "department")
        static let sortPaths: [any PartialKeyPath<Department> & Sendable] = [\.name, \.head, \.id]
        static let entity = RecordEntity<Department>(
            "Department", id: \.id,
            [.attribute("name", \.name), .toOne("head", \.head, to: "Person"), .relationship(members)]
        ) { Department(id: try $0.id(), name: try $0.next(), head: try $0.next()) }
    }

    struct Person: CompanyRecord {
        let id: LibraryID
        var name: String
        var age: Int?
        var department: LibraryID?

        static let passport = ToOne<Person, Passport>("passport", to: "Passport", inverse: "holder")
        static let friends = ToMany<Person, Person>("friends", to: "Person", inverse: "friends")
        static let follows = ToMany<Person, Person>("follows", to: "Person", inverse: "followers")
        static let followers = ToMany<Person, Person>(
            "followers", to: "Person", inverse: "follows", isOrdered: true)
        static let sortPaths: [any PartialKeyPath<Person> & Sendable] = [\.name, \.age, \.department, \.id]
        static var sortKeys: [SortKey<Person>] {
            [
                SortKey(\.department, \Department.name, order: .reverse), SortKey("department.head.age"),
                SortKey("passport.number"),
            ]
        }
        static let entity = RecordEntity<Person>(
            "Person", id: \.id,
            [
                .attribute("name", \.name), .attribute("age", \.age),
                .toOne("department", \.department, to: "Department", inverse: "members"),
                .relationship(passport), .relationship(friends), .relationship(follows), .relationship(followers),
            ]
        ) { Person(id: try $0.id(), name: try $0.next(), age: try $0.next(), department: try $0.next()) }
    }

    struct Passport: CompanyRecord {
        let id: LibraryID
        var number: String
        var holder: LibraryID?

        static let sortPaths: [any PartialKeyPath<Passport> & Sendable] = [\.number, \.holder, \.id]
        static var sortKeys: [SortKey<Passport>] {
            [SortKey(\.holder, \Person.age), SortKey("holder.department.name", order: .reverse)]
        }
        static let entity = RecordEntity<Passport>(
            "Passport", id: \.id,
            [.attribute("number", \.number), .toOne("holder", \.holder, to: "Person", inverse: "passport")]
        ) { Passport(id: try $0.id(), number: try $0.next(), holder: try $0.next()) }
    }

    struct Article: CompanyRecord {
        let id: LibraryID
        var slug: String?

        static let tags = ToMany<Article, Label>("tags", to: "Tag", inverse: "articles")
        static let sortPaths: [any PartialKeyPath<Article> & Sendable] = [\.slug, \.id]
        static let entity = RecordEntity<Article>(
            "Article", id: \.id, [.attribute("slug", \.slug, isUnique: true), .relationship(tags)]
        ) { Article(id: try $0.id(), slug: try $0.next()) }
    }

    /// `Tag` is the library's.
    struct Label: CompanyRecord {
        let id: LibraryID
        var word: String

        static let articles = ToMany<Label, Article>("articles", to: "Article", inverse: "tags")
        static let sortPaths: [any PartialKeyPath<Label> & Sendable] = [\.word, \.id]
        static let entity = RecordEntity<Label>(
            "Tag", id: \.id, [.attribute("word", \.word), .relationship(articles)]
        ) { Label(id: try $0.id(), word: try $0.next()) }
    }
}
