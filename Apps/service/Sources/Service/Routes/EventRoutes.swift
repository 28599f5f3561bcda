import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import StrataPersistence

/// The stream of changes as server-sent events.
struct EventRoutes: Sendable {
    private static let retryMilliseconds = 2_000

    let feed: ChangeFeed
    let streams: StreamLimiter
    /// The time in which a client must read an event.
    let writeTime: Duration

    func add(to table: inout RouteTable) { table.add(.get, "/events", use: events) }

    private func events(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let parameters = request.uri.queryParameters
        try parameters.requireNames(["entity", "lastEventID"])
        let entities = Set(
            parameters.get("entity")?.split(separator: ",").map(String.init) ?? Resources.entities)
        guard entities.isSubset(of: Resources.entities) else {
            throw Problem.badRequest("unknown entity; use \(Resources.entities.joined(separator: ", "))")
        }
        let last = request.headers[.lastEventID] ?? parameters.get("lastEventID")
        guard let permit = streams.permit(for: context.principal) else {
            throw Problem.unavailable("tooManyStreams", "too many event streams are open", seconds: 10)
        }
        let stream = EventStream(feed: feed, entities: entities, last: last)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no",
            ],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(permit) {} }
                let (number, wakes) = await feed.subscribe()
                // The end of the subscription ends the loop. Both handlers are called outside of the stream's task.
                let end: @Sendable () -> Void = { Task { await feed.unsubscribe(number) } }
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        do {
                            try await stream.write(wakes) {
                                try await writeBlock(ByteBuffer(string: $0), to: &writer, within: writeTime)
                            }
                        } catch {
                            await feed.unsubscribe(number)
                            throw error
                        }
                    } onInboundClosed: {
                        end()
                    }
                } onGracefulShutdown: {
                    end()
                }
                await feed.unsubscribe(number)
                try await writer.finish(nil)
            })
    }

    /// The events of one client.
    private struct EventStream: Sendable {
        let feed: ChangeFeed
        let entities: Set<String>
        let last: String?

        func write(
            _ wakes: AsyncStream<ChangeFeed.Wake>, _ write: (String) async throws -> Void
        ) async throws {
            let newest = try await feed.newestToken()
            var text = "retry: \(EventRoutes.retryMilliseconds)\n"
            var position = newest
            if let last {
                if let token = HistoryToken(last) {
                    position = token
                } else {
                    text += "id: \(newest)\n\(ChangeEvent.resync.text)"
                }
            } else {
                // A block without data only sets the position from which the client resumes.
                text += "id: \(newest)\n"
            }
            try await write(text + "\n")
            try await writeChanges(after: &position, write)
            for await wake in wakes {
                let isWritten = try await writeChanges(after: &position, write)
                if !isWritten, wake == .tick { try await write(":\n\n") }
            }
        }

        @discardableResult
        private func writeChanges(
            after position: inout HistoryToken, _ write: (String) async throws -> Void
        ) async throws -> Bool {
            var isWritten = false
            while true {
                let batches: [ChangeBatch]
                do { batches = try await feed.changes(after: position) } catch let error as PersistenceError
                    where error.code.isEndOfHistory
                {
                    position = try await feed.newestToken()
                    try await write("id: \(position)\n\(ChangeEvent.resync.text)\n")
                    return true
                }
                guard let last = batches.last else { return isWritten }
                let text = batches.compactMap { $0.text(entities: entities) }.joined()
                if !text.isEmpty {
                    try await write(text)
                    isWritten = true
                }
                position = last.token
            }
        }
    }
}
