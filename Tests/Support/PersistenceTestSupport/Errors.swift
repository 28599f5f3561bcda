package import StrataPersistence
package import Testing

/// Runs `body`, which must throw a `PersistenceError`, and returns the error.
package func persistenceError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> PersistenceError {
    try #require(
        #expect(throws: PersistenceError.self, sourceLocation: sourceLocation, performing: body),
        sourceLocation: sourceLocation)
}
