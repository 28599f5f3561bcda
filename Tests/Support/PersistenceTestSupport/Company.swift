import Foundation
package import StrataPersistence

/// The entities of random companies as record types, so that contexts can use them.
package enum Company {
    package static func model() throws -> ManagedObjectModel { try ManagedObjectModel(records: types) }

    package static let types: [any CompanyRecord.Type] = [
        Node.self, Department.self, Person.self, Passport.self, Article.self, Label.self,
    ]

    package static func type(of entity: String) -> (any CompanyRecord.Type)? {
        func name<Record: CompanyRecord>(_ type: Record.Type) -> String { Record.entity.name }
        return types.first { name($0) == entity }
    }
}

/// A record type with the sort keys that its records support.
package protocol CompanyRecord: PersistentRecord where ID == LibraryID {
    static var sortPaths: [any PartialKeyPath<Self> & Sendable] { get }
    /// The sort keys across relationships.
    static var sortKeys: [SortKey<Self>] { get }
}

extension CompanyRecord {
    package static var sortKeys: [SortKey<Self>] { [] }
}

extension Company {
    package struct Node: CompanyRecord {
        package let id: LibraryID
        package var title: String?
        package var parent: LibraryID?

        package init(id: LibraryID, title: String? = nil, parent: LibraryID? = nil) {
            self.id = id
            self.title = title
            self.parent = parent
        }

        package static let children = ToMany<Node, Node>("children", to: "Node", inverse: "parent")
        package static let sortPaths: [any PartialKeyPath<Node> & Sendable] = [\.title, \.parent, \.id]
        package static var sortKeys: [SortKey<Node>] {
            [SortKey(\.parent, \Node.title), SortKey("parent.parent.title")]
        }
        package static let entity = RecordEntity<Node>(
            "Node", id: \.id,
            [
                .attribute("title", \.title), .toOne("parent", \.parent, to: "Node", inverse: "children"),
                .relationship(children),
            ]
        ) { Node(id: try $0.id(), title: try $0.next(), parent: try $0.next()) }
    }

    package struct Department: CompanyRecord {
        package let id: LibraryID
        package var name: String
        package var head: LibraryID?

        package init(id: LibraryID, name: String, head: LibraryID? = nil) {
            self.id = id
            self.name = name
            self.head = head
        }

        package static let members = ToMany<Department, Person>("members", to: "Person", inverse: "department")
        package static let sortPaths: [any PartialKeyPath<Department> & Sendable] = [\.name, \.head, \.id]
        package static let entity = RecordEntity<Department>(
            "Department", id: \.id,
            [.attribute("name", \.name), .toOne("head", \.head, to: "Person"), .relationship(members)]
        ) { Department(id: try $0.id(), name: try $0.next(), head: try $0.next()) }
    }

    package struct Person: CompanyRecord {
        package let id: LibraryID
        package var name: String
        package var age: Int?
        package var department: LibraryID?

        package init(id: LibraryID, name: String, age: Int? = nil, department: LibraryID? = nil) {
            self.id = id
            self.name = name
            self.age = age
            self.department = department
        }

        package static let passport = ToOne<Person, Passport>("passport", to: "Passport", inverse: "holder")
        package static let friends = ToMany<Person, Person>("friends", to: "Person", inverse: "friends")
        package static let follows = ToMany<Person, Person>("follows", to: "Person", inverse: "followers")
        package static let followers = ToMany<Person, Person>(
            "followers", to: "Person", inverse: "follows", isOrdered: true)
        package static let sortPaths: [any PartialKeyPath<Person> & Sendable] = [\.name, \.age, \.department, \.id]
        package static var sortKeys: [SortKey<Person>] {
            [
                SortKey(\.department, \Department.name, order: .reverse), SortKey("department.head.age"),
                SortKey("passport.number"),
            ]
        }
        package static let entity = RecordEntity<Person>(
            "Person", id: \.id,
            [
                .attribute("name", \.name), .attribute("age", \.age),
                .toOne("department", \.department, to: "Department", inverse: "members"),
                .relationship(passport), .relationship(friends), .relationship(follows), .relationship(followers),
            ]
        ) { Person(id: try $0.id(), name: try $0.next(), age: try $0.next(), department: try $0.next()) }
    }

    package struct Passport: CompanyRecord {
        package let id: LibraryID
        package var number: String
        package var holder: LibraryID?

        package init(id: LibraryID, number: String, holder: LibraryID? = nil) {
            self.id = id
            self.number = number
            self.holder = holder
        }

        package static let sortPaths: [any PartialKeyPath<Passport> & Sendable] = [\.number, \.holder, \.id]
        package static var sortKeys: [SortKey<Passport>] {
            [SortKey(\.holder, \Person.age), SortKey("holder.department.name", order: .reverse)]
        }
        package static let entity = RecordEntity<Passport>(
            "Passport", id: \.id,
            [.attribute("number", \.number), .toOne("holder", \.holder, to: "Person", inverse: "passport")]
        ) { Passport(id: try $0.id(), number: try $0.next(), holder: try $0.next()) }
    }

    package struct Article: CompanyRecord {
        package let id: LibraryID
        package var slug: String?

        package init(id: LibraryID, slug: String? = nil) {
            self.id = id
            self.slug = slug
        }

        package static let tags = ToMany<Article, Label>("tags", to: "Tag", inverse: "articles")
        package static let sortPaths: [any PartialKeyPath<Article> & Sendable] = [\.slug, \.id]
        package static let entity = RecordEntity<Article>(
            "Article", id: \.id, [.attribute("slug", \.slug, isUnique: true), .relationship(tags)]
        ) { Article(id: try $0.id(), slug: try $0.next()) }
    }

    /// A label.
    ///
    /// The name differs from `Tag`, which is a type of ``Library`` and of Swift Testing.
    package struct Label: CompanyRecord {
        package let id: LibraryID
        package var word: String

        package init(id: LibraryID, word: String) {
            self.id = id
            self.word = word
        }

        package static let articles = ToMany<Label, Article>("articles", to: "Article", inverse: "tags")
        package static let sortPaths: [any PartialKeyPath<Label> & Sendable] = [\.word, \.id]
        package static let entity = RecordEntity<Label>(
            "Tag", id: \.id, [.attribute("word", \.word), .relationship(articles)]
        ) { Label(id: try $0.id(), word: try $0.next()) }
    }
}
