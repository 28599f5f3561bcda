import HTTPTypes

/// The names of fields that the HTTP types do not declare.
extension HTTPField.Name {
    static let idempotencyKey = named("Idempotency-Key")
    static let idempotentReplayed = named("Idempotent-Replayed")
    static let lastEventID = named("Last-Event-ID")
    static let link = named("Link")
    static let recordCount = named("Record-Count")
    static let referrerPolicy = named("Referrer-Policy")
    static let totalCount = named("Total-Count")
    static let xAccelBuffering = named("X-Accel-Buffering")
    static let xFrameOptions = named("X-Frame-Options")

    private static func named(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not the name of a field") }
        return name
    }
}
