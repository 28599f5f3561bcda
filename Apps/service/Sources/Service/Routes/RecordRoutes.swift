import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StrataPersistence

/// The routes of one resource.
///
/// The handlers depend on contexts and protocols, so that tests replace the store by structs.
struct RecordRoutes<Record: PersistentRecord>: Sendable {
    let resource: Resource<Record>
    let services: Services
    let coding: RecordCoding<Record>

    init(_ resource: Resource<Record>, _ services: Services) throws {
        (self.resource, self.services) = (resource, services)
        coding = try RecordCoding(services.model)
    }

    func add(to table: inout RouteTable) {
        let (path, transferTime) = ("/\(resource.path)", services.limits.transferTime)
        table.add(.get, path, use: list)
        table.add(.post, path, use: create)
        table.add(.get, "\(path)/groups", use: groups)
        table.add(.post, "\(path)/import", limit: transferTime, use: importRecords)
        table.add(.get, "\(path)/export", use: export)
        table.add(.get, "\(path)/{id}", use: record)
        table.add(.put, "\(path)/{id}") { try await update($0, $1, isPatch: false) }
        table.add(.patch, "\(path)/{id}") { try await update($0, $1, isPatch: true) }
        table.add(.delete, "\(path)/{id}", use: delete)
    }

    // MARK: Lists

    private func list(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        do {
            let query = try ListQuery(request.uri.queryParameters, of: resource, texts: services.texts)
            let (page, versions, total) = try await services.reads.transaction(mergePolicy: nil) { unit in
                let page = try unit.page(query.request, size: query.limit, after: query.token)
                let ids = page.records.map { StoredValue.integer($0.id.rawValue) }
                let versions = try unit.versions(
                    FetchRequest(Record.entity, .condition(.isIn(.property("id"), ids))))
                return (page, versions, query.isCounted ? try unit.count(query.request) : nil)
            }
            let versionOf = Dictionary(versions.map { ($0.id, $0.version) }, uniquingKeysWith: { first, _ in first })
            // A record that was deleted between the two reads is omitted.
            let texts = try page.records.compactMap { record in
                try versionOf[record.id].map { try coding.text(Versioned(record: record, version: $0)) }
            }
            var response = Response.json(text: "[" + texts.joined(separator: ",") + "]")
            response.headers[.link] = query.link(page, path: resource.path)
            if let total { response.headers[.totalCount] = String(total) }
            return response
        } catch let error as PersistenceError {
            throw ProblemTable.problem(error, .clientText)
        }
    }

    private func groups(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        do {
            let query = try GroupQuery(request.uri.queryParameters, of: resource, texts: services.texts)
            let rows = try await services.reads.values(query.selection, of: Record.entity)
            return try .json(.array(rows.map(query.object)))
        } catch let error as PersistenceError {
            throw ProblemTable.problem(error, .clientText)
        }
    }

    // MARK: Records

    private func record(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let id = try id(context)
        guard let found = try await services.reads.findVersioned(Record.self, id: id) else { throw missing(id) }
        if EntityTag.isUnchanged(request.headers, found.version) {
            return Response(status: .notModified, headers: [.eTag: EntityTag.text(found.version)])
        }
        return try response(found)
    }

    private func create(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try await request.body.collect(upTo: services.limits.bodyBytes)
        try request.checkCompleteness(body.readableBytes)
        let draft = Result { try coding.draft(try Self.members(of: body)) }
        let idempotent = try IdempotentRequest(request, context, route: "POST /\(resource.path)", body: body)
        return try await services.idempotency.perform(idempotent, instance: context.id) { unit in
            let draft = try draft.get()
            let record = try unit.insert(Record.self) { id in try coding.record(draft, id: id) }
            // A new record retains its first version when it is saved.
            guard let created = try unit.findVersioned(Record.self, id: record.id) else { throw missing(record.id) }
            return created
        } reply: { created in
            Reply(
                status: .created, location: "/\(resource.path)/\(created.record.id.rawValue)",
                etag: EntityTag.text(created.version), body: try coding.text(created))
        }
    }

    private func update(
        _ request: Request, _ context: ServiceRequestContext, isPatch: Bool
    ) async throws -> Response {
        let id = try id(context)
        let condition = try WriteCondition(request.headers)
        let body = try await request.body.collect(upTo: services.limits.bodyBytes)
        try request.checkCompleteness(body.readableBytes)
        let draft = try coding.draft(try Self.members(of: body), id: id)
        do {
            let (result, changes) = try await services.writes.transactionReportingChanges(mergePolicy: nil) { unit in
                guard let found = try unit.findVersioned(Record.self, id: id) else { throw missing(id) }
                try condition.check(found.version)
                let record = try unit.update(Record.self, id: id) { record in
                    let stored = record
                    record = try isPatch ? coding.patched(draft, of: stored) : coding.replacement(draft, of: stored)
                }
                return Versioned(record: record, version: found.version)
            }
            // A save that writes a row raises its version by one.
            let isWritten = changes.updated[resource.entity]?.contains(id.rawValue) == true
            return try response(Versioned(record: result.record, version: result.version + (isWritten ? 1 : 0)))
        } catch let error as PersistenceError {
            throw ProblemTable.problem(error, .conditionalWrite)
        }
    }

    private func delete(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let id = try id(context)
        let condition = try WriteCondition(request.headers)
        do {
            try await services.writes.transaction(mergePolicy: nil) { unit in
                guard let found = try unit.findVersioned(Record.self, id: id) else { throw missing(id) }
                try condition.check(found.version)
                try unit.delete(Record.self, id: id)
            }
            return Response(status: .noContent)
        } catch let error as PersistenceError {
            throw ProblemTable.problem(error, .conditionalWrite)
        }
    }

    // MARK: Parts of requests and responses

    private func id(_ context: ServiceRequestContext) throws -> Record.ID {
        let text = context.parameters.get("id") ?? ""
        guard let id = Int64(text).flatMap(Record.ID.init(rawValue:)) else {
            throw Problem.notFound("there is no \(resource.entity) with this id")
        }
        return id
    }

    private func missing(_ id: Record.ID) -> Problem {
        .notFound("there is no \(resource.entity) with id \(id.rawValue)")
    }

    private func response(_ found: Versioned<Record>) throws -> Response {
        var response = Response.json(text: try coding.text(found))
        response.headers[.eTag] = EntityTag.text(found.version)
        return response
    }

    private static func members(of body: ByteBuffer) throws -> [String: JSON] {
        let json = try JSONDecoder().decode(JSON.self, from: Data(body.readableBytesView))
        guard let members = json.members else { throw Problem.badRequest("the body is not a JSON object") }
        return members
    }
}

extension Request {
    /// Throws an error if a client closed the connection before the end of the body, which then looks complete.
    func checkCompleteness(_ count: Int) throws {
        guard let length = headers[.contentLength].flatMap(Int.init), length != count else { return }
        throw Problem.badRequest("the body has \(count) of \(length) bytes")
    }
}
