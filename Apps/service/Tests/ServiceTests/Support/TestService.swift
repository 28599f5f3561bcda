import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import StrataPersistence
import StrataTesting
import Testing

@testable import Service

/// The service over doubles, without a server.
struct TestService {
    var records: any RecordContext
    var authenticator: any Authenticator = OpenAuthenticator()
    var isOpen = true
    var probe: any StoreProbe = ProbeDouble()
    var history: any ChangeHistory = HistoryDouble()
    var transfer: any RecordTransfer = TransferDouble()
    var limits = Configuration.Limits()
    let metrics = PrometheusMetrics()

    init(_ records: [any ManagedRecord] = []) throws {
        self.records = try InMemoryRecords(Resources.model(), records)
    }

    init(context: any RecordContext) { records = context }

    func services() throws -> Services {
        let model = try Resources.model()
        return Services(
            model: model, reads: records, writes: records, transfer: transfer, probe: probe,
            feed: ChangeFeed(history, records), authenticator: authenticator, metrics: metrics, pages: WebPages(),
            texts: try ClientTexts(model, maximumBytes: limits.conditionBytes), limits: limits,
            streams: StreamLimiter(maximum: limits.streams, maximumPerClient: limits.streamsPerClient),
            hasSecureCookies: false, isOpen: isOpen)
    }

    /// Runs a test with a client, which compares each response with the description of the API.
    func run(_ test: @escaping @Sendable (ServiceClient) async throws -> Void) async throws {
        var logger = Logger(label: "test", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        let app = Application(router: try services().router(), logger: logger)
        let contract = ResponseContract(try OpenAPIDocument(Resources.model()).json)
        try await app.test(.router) { try await test(ServiceClient(client: $0, contract: contract)) }
    }
}

/// A client of the routes.
struct ServiceClient: Sendable {
    let client: any TestClientProtocol
    let contract: ResponseContract

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        let response = try await client.execute(
            uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        let answer = Answer(status: response.status, headers: response.headers, body: String(buffer: response.body))
        try contract.check(answer, method, path: String(uri.prefix { $0 != "?" }))
        return answer
    }

    /// Sends a request, and expects a status.
    @discardableResult
    func expect(
        _ status: HTTPResponse.Status, _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
        headers: HTTPFields = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let answer = try await send(method, uri, body, headers: headers)
        #expect(answer.status.code == status.code, "\(answer.body)", sourceLocation: sourceLocation)
        return answer
    }
}

/// A response with its body as JSON.
struct Answer: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: String

    var json: JSON {
        get throws { try JSONDecoder().decode(JSON.self, from: Data(body.utf8)) }
    }

    subscript(_ name: String) -> JSON? { (try? json)?.members?[name] }

    /// The names in a list of records.
    func strings(_ name: String) throws -> [JSON] {
        guard case .array(let records) = try json else { return [] }
        return records.compactMap { $0.members?[name] }
    }

    var link: [String: String] {
        let parts = (headers[.link] ?? "").split(separator: ", ").compactMap { part -> (String, String)? in
            guard let match = part.firstMatch(of: /<(.*)>; rel="(\w+)"/) else { return nil }
            return (String(match.2), String(match.1))
        }
        return Dictionary(parts, uniquingKeysWith: { $1 })
    }
}
