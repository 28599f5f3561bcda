import StrataPersistence

/// The description of the API.
struct OpenAPIDocument {
    let json: JSON
    init(_ model: ManagedObjectModel) throws { json = ["openapi": "3.1.0"] }
}
