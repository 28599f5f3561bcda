import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StrataInterchange
import StrataPersistence

/// A response that can be stored and sent again.
struct Reply: Sendable {
    var status: HTTPResponse.Status
    var location: String?
    var etag: String?
    var contentType = "application/json"
    var body: String

    var response: Response {
        var response = Response.json(text: body, status: status)
        response.headers[.contentType] = contentType
        response.headers[.location] = location
        response.headers[.eTag] = etag
        return response
    }
}

/// A request with an `Idempotency-Key`.
struct IdempotentRequest: Sendable {
    private static let maximumLength = 255

    let key: String
    let principal: String
    let route: String
    let digest: String

    /// Reads the key of a request; `nil` if the request has none.
    init?(_ request: Request, _ context: ServiceRequestContext, route: String, body: ByteBuffer) throws {
        guard let key = request.headers[.idempotencyKey] else { return nil }
        guard !key.isEmpty, key.utf8.count <= Self.maximumLength else {
            throw Problem.badRequest("an Idempotency-Key has 1 to \(Self.maximumLength) bytes")
        }
        (self.key, principal, self.route) = (key, context.principal, route)
        digest = try DigestAlgorithm.sha256.digest(of: ByteInput(bytes: Array(body.readableBytesView), name: "body"))
    }
}

/// Runs work once for each key: the response is stored in the transaction of the work.
struct Idempotency: Sendable {
    /// The time for which responses are stored.
    static let storageTime: TimeInterval = 24 * 60 * 60

    let records: any RecordContext

    /// Runs work, or returns the response of the same request before.
    ///
    /// - Throws: ``Problem`` with status 422 if the key belongs to another body, or 409 if the same request is running;
    ///   the error of `work`, whose problem is stored if its status is 4xx.
    func perform<Result: Sendable>(
        _ request: IdempotentRequest?, instance: String, _ work: @Sendable (any RecordTransaction) throws -> Result,
        reply: @Sendable (Result) throws -> Reply
    ) async throws -> Response {
        guard let request else { return try reply(try await records.transaction(mergePolicy: nil, work)).response }
        do {
            let (reply, isReplayed) = try await records.transaction(mergePolicy: nil) { unit in
                if let stored = try Self.stored(request, unit) { return (stored, true) }
                let reply = try reply(try work(unit))
                try Self.store(reply, of: request, in: unit)
                return (reply, false)
            }
            return isReplayed ? Self.replayed(reply) : reply.response
        } catch let error as PersistenceError where error.isStoredResponse {
            // The same request was committed between the search and the save.
            let stored = try await records.transaction(mergePolicy: nil) { try Self.stored(request, $0) }
            if let stored { return Self.replayed(stored) }
            throw Problem(
                .conflict, "requestRunning", title: "The request is running",
                detail: "another request with the same Idempotency-Key is running; repeat it later")
        } catch {
            let problem = ProblemTable.problem(error)
            // The problem of a key that belongs to another body must not be stored.
            if problem.status.kind == .clientError, problem.code != Self.otherBody {
                // Without a stored problem, a repetition is rejected again.
                try? await store(problem, of: request, instance: instance)
            }
            throw problem
        }
    }

    private static let otherBody = "idempotencyKeyReused"

    private func store(_ problem: Problem, of request: IdempotentRequest, instance: String) async throws {
        let reply = Reply(
            status: problem.status, contentType: "application/problem+json",
            body: try problem.json(instance: instance).text)
        try await records.transaction(mergePolicy: nil) { unit in
            if try Self.stored(request, unit) == nil { try Self.store(reply, of: request, in: unit) }
        }
    }

    private static func replayed(_ reply: Reply) -> Response {
        var response = reply.response
        response.headers[.idempotentReplayed] = "true"
        return response
    }

    private static func stored(_ request: IdempotentRequest, _ unit: any RecordTransaction) throws -> Reply? {
        let (key, principal, route) = (request.key, request.principal, request.route)
        let found = try unit.fetch(
            FetchRequest<StoredResponse>(
                where: #Predicate { $0.key == key && $0.principal == principal && $0.route == route }, limit: 1)
        ).first
        guard let found else { return nil }
        guard found.digest == request.digest else {
            throw Problem(
                .unprocessableContent, otherBody, title: "The Idempotency-Key was used before",
                detail: "the key belongs to a request with another body; use a new key")
        }
        return Reply(
            status: HTTPResponse.Status(code: found.status), location: found.location, etag: found.etag,
            contentType: found.contentType, body: found.body)
    }

    private static func store(_ reply: Reply, of request: IdempotentRequest, in unit: any RecordTransaction) throws {
        try unit.insert(StoredResponse.self) { id in
            StoredResponse(
                id: id, key: request.key, principal: request.principal, route: request.route, digest: request.digest,
                status: reply.status.code, location: reply.location, etag: reply.etag, contentType: reply.contentType,
                body: reply.body, created: Date())
        }
    }
}

extension PersistenceError {
    /// A Boolean value that indicates whether the save failed because the response of the same request exists.
    fileprivate var isStoredResponse: Bool {
        code == .uniqueness && entity == StoredResponse.entity.name
    }
}
