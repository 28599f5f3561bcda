import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

@testable import Service

/// The whole service with a SQLite file and a server on loopback, in this process.
struct LiveService: Sendable {
    let port: Int
    let group: ServiceGroup

    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a test with a service, which stops when the test returns.
    static func run(
        store: URL, limits: Configuration.Limits = .init(),
        _ test: @escaping @Sendable (LiveService) async throws -> Void
    ) async throws {
        var configuration = Configuration()
        configuration.store = .file(store)
        configuration.port = 0
        configuration.limits = limits
        var logger = Logger(label: "test", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let program = ServiceProgram(configuration, logger: logger) { continuation.yield($0) }
        let group = try await program.group(signals: [])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            var iterator = ports.makeAsyncIterator()
            if let port = await iterator.next() {
                do { try await test(LiveService(port: port, group: group)) } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// A complete response.
    struct Response: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: String
    }

    @discardableResult
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Response {
        var request = HTTPClientRequest(url: url + path)
        request.method = .init(rawValue: method)
        request.headers.add(name: "If-Match", value: "*")
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return Response(
            status: Int(response.status.code), headers: response.headers,
            body: String(buffer: try await response.body.collect(upTo: 10_000_000)))
    }

    func text(_ path: String) async throws -> String { try await send("GET", path).body }

    /// Creates a color, and returns its identifier.
    @discardableResult
    func create(_ hex: String = "123456") async throws -> Int64 {
        let body = try await send("POST", "/colors", #"{"hex":"\#(hex)"}"#).body
        guard case .integer(let id)? = try JSONDecoder().decode(JSON.self, from: Data(body.utf8)).members?["id"]
        else { throw CancellationError() }
        return id
    }

    /// Opens an event stream, and waits until it has begun.
    func events(after id: String? = nil, entities: String = "Color") async throws -> EventReader {
        var request = HTTPClientRequest(url: url + "/events?entity=\(entities)")
        if let id { request.headers.add(name: "Last-Event-ID", value: id) }
        let response = try await HTTPClient.shared.execute(request, timeout: .hours(1))
        return EventReader(status: Int(response.status.code), body: response.body.makeAsyncIterator())
    }
}

/// A block of an event stream.
struct EventBlock: Equatable {
    var id: String?
    var event: String?
    var data: String?
    var retry: String?

    var json: [String: JSON] {
        data.flatMap { try? JSONDecoder().decode(JSON.self, from: Data($0.utf8)).members } ?? [:]
    }
}

/// A reader of an event stream.
struct EventReader {
    let status: Int
    var body: HTTPClientResponse.Body.AsyncIterator
    private var buffer = ""

    init(status: Int, body: HTTPClientResponse.Body.AsyncIterator) { (self.status, self.body) = (status, body) }

    /// Returns the next block that is no comment, or `nil` at the end.
    mutating func next() async throws -> EventBlock? {
        while true {
            if let end = buffer.firstRange(of: "\n\n") {
                let text = buffer[..<end.lowerBound]
                buffer = String(buffer[end.upperBound...])
                if let block = Self.block(text) { return block }
                continue
            }
            guard let bytes = try await body.next() else { return nil }
            buffer += String(buffer: bytes)
        }
    }

    private static func block(_ text: Substring) -> EventBlock? {
        var block = EventBlock()
        for line in text.split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else { continue }
            let value = String(line[colon.upperBound...])
            switch line[..<colon.lowerBound] {
            case "id": block.id = value
            case "event": block.event = value
            case "data": block.data = value
            case "retry": block.retry = value
            default: break
            }
        }
        return block == EventBlock() ? nil : block
    }
}

/// A folder that is deleted with the value.
final class TestFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("service-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    var store: URL { url.appendingPathComponent("store.sqlite") }
}
