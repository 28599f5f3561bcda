import HTTPTypes
import Hummingbird
import NIOCore
import StrataPersistence
import Testing

@testable import Service

@Suite("Streams")
struct StreamTests {
    /// A writer to a client that does not read.
    private struct BlockedWriter: ResponseBodyWriter {
        func write(_ buffer: ByteBuffer) async throws { try await Task.sleep(for: .seconds(1_000_000)) }
        consuming func finish(_ trailers: HTTPFields?) async throws {}
    }

    @Test("a client that does not read ends its stream")
    func blockedClient() async throws {
        var writer: any ResponseBodyWriter = BlockedWriter()
        await #expect(throws: Problem.self) {
            try await writeBlock(ByteBuffer(string: "a"), to: &writer, within: .milliseconds(1))
        }
    }

    @Test("permits end with their streams, for each client and in all")
    func permits() {
        let limiter = StreamLimiter(maximum: 2, maximumPerClient: 1)
        var first = limiter.permit(for: "a")
        #expect(first != nil && limiter.permit(for: "a") == nil)
        let second = limiter.permit(for: "b")
        #expect(second != nil && limiter.permit(for: "c") == nil)
        first = nil
        #expect(limiter.permit(for: "c") != nil)
    }

    /// A history with signals that a test sends.
    private struct SignaledHistory: ChangeHistory {
        let stream: AsyncStream<Void>

        func newestToken() async throws -> HistoryToken { try await HistoryDouble().newestToken() }
        func transactions(after token: HistoryToken, limit: Int) async throws -> [HistoryTransaction] { [] }
        func signals() -> AsyncStream<Void> { stream }
    }

    @Test("a client is woken by a signal although no client has set a position", .timeLimit(.minutes(1)))
    func resumedClient() async throws {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self)
        let error = PersistenceError(.closed, "the store is closed")
        let feed = ChangeFeed(SignaledHistory(stream: stream), FailingContext(error: error))
        var wakes = await feed.subscribe().wakes.makeAsyncIterator()
        let running = Task { await feed.run() }
        signal.yield()
        #expect(await wakes.next() == .changed)
        signal.finish()
        running.cancel()
    }

    @Test("only the last event of a transaction has its identifier")
    func transactions() throws {
        let token = try #require(HistoryToken("00000000-0000-0000-0000-000000000001:0:5"))
        let events = (1...2).map { ChangeEvent.change("Color", id: $0, kind: .insert, version: $0) }
        let batch = ChangeBatch(token: token, events: events + [.change("Boss", id: 1, kind: .delete, version: nil)])
        #expect(
            batch.text(entities: ["Color"]) == """
                event: change
                data: {"entity":"Color","id":1,"kind":"inserted","version":1}

                id: \(token)
                event: change
                data: {"entity":"Color","id":2,"kind":"inserted","version":2}


                """)
        #expect(batch.text(entities: ["Item"]) == nil)
    }
}
