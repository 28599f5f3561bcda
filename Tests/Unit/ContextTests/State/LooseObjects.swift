import PersistenceTestSupport
import StrataCore

@testable import StrataPersistence

/// Objects without a context, for tests of a context's internal state.
enum Loose {
    /// Returns an object in a given state.
    static func object<Record: PersistentRecord>(
        _ record: Record, _ state: ObjectState = .unchanged
    ) -> Managed<Record> {
        let object = Managed(version: 1, ownership: ObjectOwnership(Record.entity.description)) { record }
        object.state = state
        return object
    }

    static func author(_ id: LibraryID, mentor: LibraryID? = nil) -> Managed<Author> {
        object(Author(id: id, name: "A\(id.rawValue)", mentor: mentor))
    }

    static func book(_ id: LibraryID) -> Managed<Book> { object(Book(id: id, title: "B\(id.rawValue)")) }
}
