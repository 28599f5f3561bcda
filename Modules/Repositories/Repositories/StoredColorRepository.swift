public import Foundation
public import StrataDomain
public import StrataPersistence

/// Colours in a store.
public struct StoredColorRepository: ColorRepository, StoredRepository {
    /// The records' type.
    public typealias Record = Color

    /// Where the colours are kept.
    public let context: any RecordContext

    /// A repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Makes a colour and saves it.
    @discardableResult
    public func create(hex: HexColor, name: String?, dateCreated: Date) async throws -> Color {
        try await context.insert(Color.self) { Color(id: $0, hex: hex, name: name, dateCreated: dateCreated) }
    }
}
