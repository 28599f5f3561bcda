import HTTPTypes
import Hummingbird

/// An error as problem details of HTTP (RFC 9457).
struct Problem: HTTPResponseError {
    let status: HTTPResponse.Status
    /// The last part of the problem's type.
    let code: String
    let title: String
    var detail: String?
    var members: [String: JSON] = [:]
    var headers: HTTPFields = [:]
    /// The error for the log, which responses do not contain.
    var underlying: (any Error)?

    init(
        _ status: HTTPResponse.Status, _ code: String, title: String, detail: String? = nil,
        members: [String: JSON] = [:], headers: HTTPFields = [:]
    ) {
        (self.status, self.code, self.title) = (status, code, title)
        (self.detail, self.members, self.headers) = (detail, members, headers)
    }

    /// Returns the problem as JSON; `instance` is the identifier of the request.
    func json(instance: String) -> JSON {
        var content = members
        content["type"] = .string("urn:strata:problem:\(code)")
        content["title"] = .string(title)
        content["status"] = .integer(Int64(status.code))
        content["instance"] = .string("urn:strata:request:\(instance)")
        if let detail { content["detail"] = .string(detail) }
        return .object(content)
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try Response.json(json(instance: context.id), status: status)
        response.headers[.contentType] = "application/problem+json"
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension Problem {
    static func badRequest(_ detail: String, pointer: String? = nil, column: Int? = nil) -> Problem {
        var members: [String: JSON] = [:]
        if let pointer { members["pointer"] = .string(pointer) }
        if let column { members["column"] = .integer(Int64(column)) }
        return Problem(.badRequest, "invalidRequest", title: "Invalid request", detail: detail, members: members)
    }

    static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, "objectNotFound", title: "Not found", detail: detail)
    }

    static func preconditionFailed(_ detail: String) -> Problem {
        Problem(.preconditionFailed, "conflict", title: "The record was changed", detail: detail)
    }

    static func unavailable(_ code: String, _ detail: String, seconds: Int = 1) -> Problem {
        Problem(
            .serviceUnavailable, code, title: "Temporarily unavailable", detail: detail,
            headers: [.retryAfter: String(seconds)])
    }
}
