import PersistenceTestSupport
import StrataCore
import Testing

@testable import StrataPersistence

/// Writes that no save would store.
@Suite("Detached writes")
struct DetachedWritesTests {
    @Test("the next save throws an error for the first write to a detached object and discards all such writes")
    func first() throws {
        let objects = [Loose.author(3), Loose.author(1)]
        var writes = DetachedWrites()
        for object in objects + objects { writes.note(object) }
        #expect(!writes.isEmpty)
        let error = try persistenceError { try writes.throwFirst() }
        #expect(
            error.description
                == "Author: object 3 was written to after it was deleted or its context was reset; the write is lost")
        #expect(error.code == .detachedObject && writes.isEmpty)
        try writes.throwFirst()
    }

    @Test("a rollback discards the writes to detached objects")
    func clear() throws {
        var writes = DetachedWrites()
        #expect(writes.isEmpty)
        writes.note(Loose.author(1))
        writes.clear()
        #expect(writes.isEmpty)
        try writes.throwFirst()
    }
}
