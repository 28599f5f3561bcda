import PersistenceTestSupport
import StrataCore
import Testing

@testable import StrataPersistence

/// Writes that no save would reach.
@Suite("Detached writes")
struct DetachedWritesTests {
    @Test("the first one is an error of the next save, which then knows none of them any more")
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

    @Test("a rollback forgets them")
    func clear() throws {
        var writes = DetachedWrites()
        #expect(writes.isEmpty)
        writes.note(Loose.author(1))
        writes.clear()
        #expect(writes.isEmpty)
        try writes.throwFirst()
    }
}
