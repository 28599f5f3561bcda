import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

/// Typed predicates across relationships in a context, which include unsaved changes.
@Suite("Fetches across relationships in a context")
struct RelatedFetchTests {
    /// A change and the expected results of the requests after it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The books whose author is called Homer.
        let homers: [String]
        /// The names of authors with a book about war.
        let warriors: [String]
        /// The names of authors with two books or more.
        let busy: [String]
        let change: @Sendable (ConfinedContext) throws -> Void
    }

    static let cases: [Case] = [
        Case(
            testDescription: "nothing is changed", homers: ["Iliad", "Odyssey"], warriors: ["Homer", "Virgil"],
            busy: ["Homer"]
        ) {
            _ in
        },
        Case(
            testDescription: "the related object is renamed", homers: [], warriors: ["Melesigenes", "Virgil"],
            busy: ["Melesigenes"]
        ) {
            try $0.author(1).name = "Melesigenes"
        },
        Case(
            testDescription: "another author receives the same name", homers: ["Aeneid", "Iliad", "Odyssey"],
            warriors: ["Homer", "Homer"], busy: ["Homer"]
        ) {
            try $0.author(2).name = "Homer"
        },
        Case(
            testDescription: "a book moves to another author", homers: ["Odyssey"], warriors: ["Sappho", "Virgil"],
            busy: []
        ) {
            try $0.book(1).author = 3
        },
        Case(
            testDescription: "a book is inserted", homers: ["Iliad", "Odyssey"], warriors: ["Homer", "Virgil"],
            busy: ["Homer", "Virgil"]
        ) {
            _ = try $0.newBook("Georgics", by: 2)
        },
        Case(testDescription: "a book is deleted", homers: ["Odyssey"], warriors: ["Virgil"], busy: []) {
            try $0.delete(1, of: Book.self)
        },
        Case(testDescription: "the author is deleted", homers: [], warriors: ["Virgil"], busy: []) {
            try $0.delete(1, of: Author.self)
        },
        Case(
            testDescription: "a join row is added", homers: ["Iliad", "Odyssey"], warriors: ["Homer", "Virgil"],
            busy: ["Homer"]
        ) {
            try $0.add(try $0.tag(1), to: \.tags, of: try $0.book(2))
        },
        Case(
            testDescription: "a join row is removed", homers: ["Iliad", "Odyssey"], warriors: ["Virgil"],
            busy: ["Homer"]
        ) {
            try $0.remove(try $0.book(1), from: \.books, of: try $0.tag(1))
        },
        Case(
            testDescription: "the tag is renamed", homers: ["Iliad", "Odyssey"], warriors: ["Homer", "Virgil"],
            busy: ["Homer"]
        ) {
            try $0.tag(1).word = "peace"
            try $0.tag(2).word = "war"
        },
        Case(testDescription: "the tag is deleted", homers: ["Iliad", "Odyssey"], warriors: [], busy: ["Homer"]) {
            try $0.delete(1, of: Tag.self)
        },
        Case(
            testDescription: "a new author with a new book about a new tag", homers: ["Iliad", "Odyssey"],
            warriors: ["Homer", "Ovid", "Virgil"], busy: ["Homer"]
        ) {
            let (ovid, tag) = (try $0.newAuthor("Ovid"), try $0.newTag("war"))
            try $0.add(tag, to: \.tags, of: try $0.newBook("Fasti", by: ovid.id))
        },
    ]

    private static func check(_ item: Case, _ context: ConfinedContext) throws {
        let homers = FetchRequest<Book>(
            .related(\.author, matching: #Predicate<Author> { $0.name == "Homer" }), sort: [SortKey(\.title)])
        #expect(try context.fetch(homers).map { $0.title } == item.homers)
        let about = RecordFilter<Book>.any(\.tags, matching: #Predicate { $0.word == "war" })
        let warriors = FetchRequest<Author>(.any(\.books, matching: about), sort: [SortKey(\.name)])
        #expect(try context.fetch(warriors).map { $0.name } == item.warriors)
        let busy = FetchRequest<Author>(.count(\.books, .greaterOrEqual, 2), sort: [SortKey(\.name, order: .reverse)])
        #expect(try context.fetchRecords(busy).map(\.name) == item.busy.reversed())
        #expect(try context.count(homers) == item.homers.count)
        #expect(try context.count(warriors) == item.warriors.count)
        #expect(try context.fetchIdentifiers(busy).count == item.busy.count)
        for offset in 0...2 {
            var window = warriors
            (window.limit, window.offset) = (1, offset)
            #expect(try context.fetch(window).map { $0.name } == Array(item.warriors.dropFirst(offset).prefix(1)))
            #expect(try context.count(window) == item.warriors.dropFirst(offset).prefix(1).count)
        }
        let none = FetchRequest<Author>(.none(\.books, matching: about))
        #expect(try context.count(none) == context.count(FetchRequest<Author>()) - item.warriors.count)
    }

    @Test(
        "a fetch across relationships includes a change before and after its save", arguments: StoreKind.allCases, cases
    )
    func changes(_ kind: StoreKind, _ item: Case) throws {
        try TestStack.everywhere(kind, item.change) { try Self.check(item, $0) }
    }

    @Test(
        "a fetch returns a new object once if another context has saved an object with its identifier",
        arguments: StoreKind.allCases)
    func sameIdentifier(_ kind: StoreKind) throws {
        let stack = try kind.library()
        let mine = stack.container.newBackgroundContext()
        try mine.performAndWait { _ = try $0.insert(Book(id: 9, title: "Mine", author: 2)) }
        try stack.background.performAndWait { context in
            try context.insert(Book(id: 9, title: "Theirs", author: 1))
            try context.save()
        }
        try mine.performAndWait { (context) throws in
            for (name, titles) in [("Homer", ["Iliad", "Odyssey"]), ("Virgil", ["Aeneid", "Mine"])] {
                let request = FetchRequest<Book>(
                    .related(\.author, matching: #Predicate<Author> { $0.name == name }), sort: [SortKey(\.title)])
                #expect(try context.fetch(request).map { $0.title } == titles)
                #expect(try context.count(request) == titles.count)
            }
        }
    }

    @Test(
        "a fetch across relationships is correct whether or not its condition uses the changed entity",
        arguments: StoreKind.allCases
    )
    func untouched(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            try context.contract(1).fee = 99
            let rich = FetchRequest<Author>(.related(\.contract, matching: #Predicate { $0.fee > 50 }))
            #expect(try context.fetch(rich).map { $0.name } == ["Virgil"])
            #expect(try context.count(FetchRequest<Tag>(.any(\.books, matching: #Predicate { $0.pages > 600 }))) == 1)
        }
    }
}
