public import Foundation

/// Where colours are kept.
public protocol ColorRepository: Repository where Record == Color {
    /// Saves a new colour and returns it with its identifier.
    @discardableResult
    func create(hex: HexColor, name: String?, dateCreated: Date) async throws -> Color
}

extension ColorRepository {
    /// Saves a new colour, recorded now, and returns it with its identifier.
    @discardableResult
    public func create(hex: HexColor, name: String? = nil) async throws -> Color {
        try await create(hex: hex, name: name, dateCreated: .now)
    }

    /// Colours, the newest first; those of one instant by ascending id.
    ///
    /// At most `limit` of them, which is at least 0, or all where it is nil.
    public func newestFirst(limit: Int? = nil) async throws -> [Color] {
        try await fetch(Query(sort: [.descending(\.dateCreated), .ascending(\.id)], limit: limit))
    }

    /// Deletes the colour that this record shows, and returns false where there was none.
    ///
    /// Only the id is read, and before the caller's executor is left: a managed object may be passed.
    @discardableResult
    public nonisolated(nonsending) func delete(_ color: some ColorRecord) async throws -> Bool {
        try await delete(color.id)
    }
}
