import StrataCore
import Testing

@testable import StrataPersistence

/// Changes that other contexts saved and a context has not merged yet.
@Suite("Merge inbox")
struct MergeInboxTests {
    private static func notice(_ ids: Set<Int64>) -> MergeNotice {
        var changes = SavedChanges()
        changes.updated = ["Author": ids]
        return MergeNotice(StoreChange(changes, origin: .batch))
    }

    private static func ids(_ notice: MergeNotice?) -> [Int64]? {
        guard case .some(let ids)? = notice?.touched("Author") else { return nil }
        return ids.sorted()
    }

    private static func refusal(_ number: Int) -> PersistenceError { PersistenceError(.closed, "refusal \(number)") }

    /// Operations on an inbox, the notices that it returns with the one about author 9, and the error reported before a
    /// fetch.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let taken: [Int64]
        var error: String?
        let happens: @Sendable (inout MergeInbox) -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "a new notice is returned", taken: [9]) { _ in },
        Case(testDescription: "a removed notice is not returned again", taken: [9]) { inbox in
            _ = inbox.take(notice([1]))
        },
        Case(testDescription: "a notice that could not be merged is returned with the new notice", taken: [1, 2, 9]) {
            inbox in
            inbox.keep(notice([1, 2]))
        },
        Case(testDescription: "a failed merge is reported", taken: [1, 9], error: "refusal 1") { inbox in
            inbox.keep(notice([1]), failure: refusal(1))
        },
        Case(testDescription: "the last failure is reported", taken: [2, 9], error: "refusal 2") { inbox in
            inbox.keep(notice([1]), failure: refusal(1))
            inbox.keep(notice([2]), failure: refusal(2))
        },
        Case(testDescription: "a failure that its own work reported is not reported again", taken: [1, 9]) { inbox in
            inbox.keep(notice([1]), failure: refusal(1))
            inbox.keep(notice([1]))
        },
        Case(testDescription: "a retried merge discards the failure", taken: [9]) { inbox in
            inbox.keep(notice([1]), failure: refusal(1))
            _ = inbox.take(nil)
        },
        Case(testDescription: "a reset discards failed merges", taken: [9]) { inbox in
            inbox.keep(notice([1]), failure: refusal(1))
            inbox.forget()
        },
    ]

    @Test("a failed merge is retried, and its error is reported once", arguments: cases)
    func tried(_ item: Case) throws {
        var inbox = MergeInbox(nil)
        item.happens(&inbox)
        var said: String?
        do { try inbox.throwFailure() } catch { said = (error as? PersistenceError)?.message }
        #expect(said == item.error)
        try inbox.throwFailure()
        let taken = [inbox.take(Self.notice([9])), inbox.take(nil)].map(Self.ids)
        #expect(taken == [item.taken, nil])
    }

    @Test("a failed merge is returned for a retry although no new notice arrived")
    func kept() {
        var inbox = MergeInbox(nil)
        let before = Self.ids(inbox.take(nil))
        inbox.keep(Self.notice([4]))
        let after = Self.ids(inbox.take(nil))
        #expect(before == nil && after == [4])
    }
}
