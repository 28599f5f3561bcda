import Foundation
import StrataPersistence

/// The response to a request with an `Idempotency-Key`, in the same store as the records.
struct StoredResponse: PersistentRecord {
    let id: RecordID<StoredResponse>
    var key: String
    var principal: String
    var route: String
    /// The SHA-256 digest of the request's body.
    var digest: String
    var status: Int
    var location: String?
    var etag: String?
    var contentType: String
    var body: String
    var created: Date

    static let entity = RecordEntity<StoredResponse>(
        "StoredResponse", id: \.id,
        [
            .attribute("key", \.key),
            .attribute("principal", \.principal),
            .attribute("route", \.route),
            .attribute("digest", \.digest),
            .attribute("status", \.status),
            .attribute("location", \.location),
            .attribute("etag", \.etag),
            .attribute("contentType", \.contentType),
            .attribute("body", \.body),
            .attribute("created", \.created, isIndexed: true),
        ], uniquenessConstraints: [["key", "principal", "route"]]
    ) { row in
        try StoredResponse(
            id: row.id(), key: row.next(), principal: row.next(), route: row.next(), digest: row.next(),
            status: row.next(), location: row.next(), etag: row.next(), contentType: row.next(), body: row.next(),
            created: row.next())
    }
}
