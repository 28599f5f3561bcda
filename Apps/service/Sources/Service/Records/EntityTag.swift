import HTTPTypes
import Hummingbird

/// The entity tag of a version of a record, and the conditions of requests (RFC 9110).
enum EntityTag {
    static func text(_ version: Int64) -> String { "\"\(version)\"" }

    /// Returns a Boolean value that indicates whether `If-None-Match` names the version: weak tags are equal.
    static func isUnchanged(_ headers: HTTPFields, _ version: Int64) -> Bool {
        let tags = tags(headers[values: .ifNoneMatch])
        return tags.contains("*") || tags.contains { $0.replacing("W/", with: "") == text(version) }
    }

    /// Returns the tags of fields, each of which contains a list.
    static func tags(_ fields: [String]) -> [String] {
        fields.flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
    }
}

/// The condition of a write: its `If-Match` field.
struct WriteCondition: Sendable {
    private let tags: [String]

    /// Reads the condition of a write.
    ///
    /// - Throws: ``Problem`` with status 428 if the request has none.
    init(_ headers: HTTPFields) throws {
        tags = EntityTag.tags(headers[values: .ifMatch])
        guard !tags.isEmpty else {
            throw Problem(
                .preconditionMissing, "preconditionRequired", title: "If-Match is missing",
                detail: "read the record, and send its ETag as If-Match")
        }
    }

    /// Throws a problem if the record has another version.
    ///
    /// A weak tag never matches.
    func check(_ version: Int64) throws {
        guard tags.contains("*") || tags.contains(EntityTag.text(version)) else {
            throw Problem.preconditionFailed("the record has another version; read it again")
        }
    }
}

extension StringProtocol {
    func trimmingSpaces() -> String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
