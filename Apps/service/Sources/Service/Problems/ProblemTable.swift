import HTTPTypes
import Hummingbird
import NIOCore
import StrataDomain
import StrataInterchange
import StrataPersistence

/// The origin of an error that the same code reports for clients and for the service.
enum ProblemOrigin {
    /// The work of the service.
    case service
    /// A condition, sort key or page token of the client.
    case clientText
    /// A write with `If-Match`.
    case conditionalWrite
}

/// The problem of each error: the only place that maps errors to status codes.
enum ProblemTable {
    /// Returns the status of an error of the store.
    static func status(of code: PersistenceError.Code, _ origin: ProblemOrigin = .service) -> HTTPResponse.Status {
        switch code {
        case .objectNotFound: .notFound
        case .validation: .unprocessableContent
        case .uniqueness, .danglingReference: .conflict
        case .conflict: origin == .conditionalWrite ? .preconditionFailed : .conflict
        case .invalidRequest, .arithmetic: origin == .clientText ? .badRequest : .internalServerError
        case .locked, .closed, .storeMigrated, .readOnly: .serviceUnavailable
        case .diskFull: .insufficientStorage
        default: .internalServerError
        }
    }

    /// Returns the problem of any error.
    static func problem(_ error: any Error, _ origin: ProblemOrigin = .service) -> Problem {
        if let problem = error as? Problem { return problem }
        var problem = mapped(error, origin)
        problem.underlying = error
        return problem
    }

    private static func mapped(_ error: any Error, _ origin: ProblemOrigin) -> Problem {
        switch error {
        case let error as PersistenceError: problem(error, origin)
        case let failure as ValidationFailure: validation([failure], failure.description)
        case let error as DomainError: problem(error)
        case let error as PredicateTextError: .badRequest(error.message, column: error.column)
        case let error as DecodingError: .badRequest(error.reason, pointer: error.pointer)
        case let error as InterchangeError: invalidImport([error])
        case is NIOTooManyBytesError:
            Problem(.contentTooLarge, "tooLarge", title: "The body is too large", detail: "send a smaller body")
        case is CancellationError: .unavailable("canceled", "the request was canceled")
        case let error as HTTPError:
            Problem(error.status, "http", title: error.status.reasonPhrase, detail: error.body, headers: error.headers)
        default: Problem(.internalServerError, "internal", title: "Internal error")
        }
    }

    private static func problem(_ error: PersistenceError, _ origin: ProblemOrigin) -> Problem {
        var error = error
        // The location of the store does not concern clients.
        error.path = nil
        let status = status(of: error.code, origin)
        var problem = Problem(status, error.code.rawValue, title: title(status))
        // The details of other errors concern the operator, who finds them in the log.
        if status != .internalServerError { problem.detail = error.description }
        switch error.code {
        case .validation: return validation(error.failures, error.description)
        case .uniqueness, .danglingReference:
            if let attribute = error.attribute { problem.members["pointer"] = .string("/\(attribute)") }
        case .conflict:
            problem.members["conflicts"] = .array(
                error.conflicts.map { ["entity": .string($0.entity), "id": .integer($0.id)] })
        case .unknownOutcome:
            problem.detail = "the change may be stored; repeat it only with the same Idempotency-Key"
        default: break
        }
        if status == .serviceUnavailable, error.code != .readOnly { problem.headers[.retryAfter] = "1" }
        return problem
    }

    private static func problem(_ error: DomainError) -> Problem {
        if error.code == .notFound { return .notFound(error.description) }
        if error.code == .invalidQuery { return .badRequest(error.description) }
        let failure: JSON = [
            "pointer": .string(error.property.map { "/\($0)" } ?? ""), "rule": .string("\(error.code)"),
            "detail": .string(error.message),
        ]
        return invalid([failure], error.description)
    }

    private static func validation(_ failures: [ValidationFailure], _ detail: String) -> Problem {
        invalid(
            failures.map { failure in
                [
                    "pointer": .string(failure.attribute.isEmpty ? "" : "/\(failure.attribute)"),
                    "rule": .string(failure.rule.name), "detail": .string(failure.reason),
                ]
            }, detail)
    }

    private static func invalid(_ errors: [JSON], _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, "validation", title: "Invalid values", detail: detail,
            members: ["errors": .array(errors)])
    }

    /// Returns the problem of an import, with the location of each error.
    static func invalidImport(_ errors: [InterchangeError], total: Int? = nil) -> Problem {
        let errors = errors.map { error -> JSON in
            [
                "line": error.line.map { .integer(Int64($0)) } ?? .null,
                "column": error.column.map(JSON.string) ?? .null, "detail": .string(error.message),
            ]
        }
        return Problem(
            .unprocessableContent, "invalidImport", title: "Invalid records", detail: "no record was stored",
            members: ["errors": .array(errors), "total": .integer(Int64(total ?? errors.count))])
    }

    private static func title(_ status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "Not found"
        case .conflict: "Conflict with stored values"
        case .preconditionFailed: "The record was changed"
        case .badRequest: "Invalid request"
        case .serviceUnavailable: "Temporarily unavailable"
        case .insufficientStorage: "The disk is full"
        default: "Internal error"
        }
    }
}

extension HTTPResponse.Status {
    /// The status of a full disk (RFC 4918).
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    /// The status of a write without a condition (RFC 6585).
    static let preconditionMissing = HTTPResponse.Status(code: 428, reasonPhrase: "Precondition Required")
}

extension ValidationFailure.Rule {
    /// The name of the rule without its arguments.
    fileprivate var name: String {
        let text = "\(self)"
        return String(text.prefix { $0 != "(" })
    }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The reason for people.
    fileprivate var reason: String { context?.debugDescription ?? "the body is not valid JSON" }

    /// The JSON pointer of the value.
    fileprivate var pointer: String {
        context?.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined() ?? ""
    }
}
