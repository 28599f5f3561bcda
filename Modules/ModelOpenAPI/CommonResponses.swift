import StrataCore

/// The responses that all operations share.
enum CommonResponses {
    static let value = JSONValue.members([
        (
            "Problem",
            .members([
                ("description", .text("The details of an error.")),
                (
                    "content",
                    .members([
                        ("application/problem+json", .members([("schema", .reference("schemas", "Problem"))]))
                    ])
                ),
            ])
        )
    ])
}
