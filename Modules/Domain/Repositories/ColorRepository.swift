public import Foundation

/// A repository of colors.
public protocol ColorRepository: Repository where Record == Color {
    /// Saves a new color and returns it with its identifier.
    ///
    /// - Parameters:
    ///   - hex: The color value; several records may have the same value.
    ///   - name: The name; `nil` if the color has none.
    ///   - dateCreated: The date of the record.
    /// - Returns: The saved color.
    /// - Throws: The error of the storage.
    @discardableResult
    func create(hex: HexColor, name: String?, dateCreated: Date) async throws -> Color
}

extension ColorRepository {
    /// Saves a new color with the current date, and returns it with its identifier.
    @discardableResult
    public func create(hex: HexColor, name: String? = nil) async throws -> Color {
        try await create(hex: hex, name: name, dateCreated: .now)
    }

    /// Returns colors, the newest first; colors of the same instant are ordered by ascending id.
    ///
    /// The limit is at least 0; `nil` returns all colors.
    ///
    /// - Parameter limit: The maximum number of colors.
    /// - Returns: At most `limit` colors.
    /// - Throws: ``DomainError`` with the code `invalidQuery` if the limit is negative.
    public func newestFirst(limit: Int? = nil) async throws -> [Color] {
        try await fetch(Query(sort: [.descending(\.dateCreated), .ascending(\.id)], limit: limit))
    }

    /// Deletes the color that has this record's identifier, and returns `false` if the repository has none.
    ///
    /// The method reads only the id, and reads it before it leaves the caller's executor. The caller may pass a managed
    /// object.
    @discardableResult
    public nonisolated(nonsending) func delete(_ color: some ColorRecord) async throws -> Bool {
        try await delete(color.id)
    }
}
