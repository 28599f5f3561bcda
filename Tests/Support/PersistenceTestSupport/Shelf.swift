package import StrataPersistence
import StrataTesting

/// Helpers that the tests of relationships share: a stack with the library, and ways to read it in a new context.
extension StoreKind {
    /// Returns Homer (1) with the Odyssey (2) and the Iliad (1), his pupil Virgil (2) with the Aeneid (3) and a
    /// contract (1), and Sappho (3), Homer's friend.
    package func library() throws -> TestStack {
        let stack = try stack(try Library.model())
        try Library.fill(stack.container.coordinator.store)
        return stack
    }
}

extension LibraryID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(unchecked: value) }
}

extension ConfinedContext {
    package func author(_ id: LibraryID) throws -> Managed<Author> { try existingObject(with: id) }

    package func book(_ id: LibraryID) throws -> Managed<Book> { try existingObject(with: id) }

    package func tag(_ id: LibraryID) throws -> Managed<Tag> { try existingObject(with: id) }

    package func contract(_ id: LibraryID) throws -> Managed<Contract> { try existingObject(with: id) }

    /// Returns the titles of an author's books, in their order.
    package func titles(_ author: Managed<Author>) throws -> [String] {
        try objects(\.books, of: author).map { $0.title }
    }

    /// Returns the words of a book's tags, in their order.
    package func words(_ book: Managed<Book>) throws -> [String] { try objects(\.tags, of: book).map { $0.word } }

    /// Returns the titles of a tag's books, by identifier.
    package func titles(_ tag: Managed<Tag>) throws -> [String] { try objects(\.books, of: tag).map { $0.title } }

    package func newBook(_ title: String, by author: LibraryID? = nil) throws -> Managed<Book> {
        try insert(Book.self) { Book(id: $0, title: title, author: author) }
    }

    package func newTag(_ word: String) throws -> Managed<Tag> { try insert(Tag.self) { Tag(id: $0, word: word) } }

    package func newAuthor(_ name: String) throws -> Managed<Author> {
        try insert(Author.self) { Author(id: $0, name: name) }
    }
}

extension TestStack {
    /// Runs the checks in the context of the changes, in a child before and after its save, after the save, and in a
    /// new context.
    ///
    /// `change` is made once in a root context and once, in another stack, in a child of one.
    package static func everywhere(
        _ kind: StoreKind, _ change: @escaping @Sendable (ConfinedContext) throws -> Void,
        _ check: @escaping @Sendable (ConfinedContext) throws -> Void
    ) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            try change(context)
            try check(context)
            try context.save()
            try check(context)
        }
        try stack.container.newBackgroundContext(name: "fresh").performAndWait(check)

        let other = try kind.library()
        let parent = other.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try child.performAndWait { context in
            try change(context)
            try check(context)
            try context.save()
            try check(context)
        }
        try parent.performAndWait { context in
            try check(context)
            try context.save()
            try check(context)
        }
        try child.performAndWait(check)
        try other.container.newBackgroundContext(name: "fresh").performAndWait(check)
    }
}
