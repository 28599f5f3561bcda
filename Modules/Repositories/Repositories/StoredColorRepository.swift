public import Foundation
public import StrataDomain
public import StrataPersistence

/// A repository of colors in a store.
public struct StoredColorRepository: ColorRepository, StoredRepository {
    /// The type of the records.
    public typealias Record = Color

    /// The context that reads and saves the colors.
    public let context: any RecordContext

    /// Creates a repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Creates a color and saves it.
    @discardableResult
    public func create(hex: HexColor, name: String?, dateCreated: Date) async throws -> Color {
        try await context.insert(Color.self) { Color(id: $0, hex: hex, name: name, dateCreated: dateCreated) }
    }
}
