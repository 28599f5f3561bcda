public import Foundation
public import StrataDomain
public import StrataPersistence

extension Color: PersistentRecord {
    /// The entity of colors: `hex`, `name`, and `dateCreated`, whose default is the current date.
    public static let entity = RecordEntity<Color>(
        "Color", id: \.id, rawID: \Color.ID.rawValue,
        [
            .attribute("hex", \.hex, raw: \HexColor.rawValue),
            .attribute("name", \.name),
            .attribute("dateCreated", \.dateCreated, default: .now, isIndexed: true),
        ], rules: .model
    ) { row in
        try Color(id: row.id(), hex: row.next(), name: row.next(), dateCreated: row.next())
    }
}

extension Managed: ColorRecord where Record == Color {
    /// The color value.
    public var hex: HexColor { record.hex }
    /// The name of the color, or `nil` if it has none.
    public var name: String? { record.name }
    /// The date when the color was recorded.
    public var dateCreated: Date { record.dateCreated }
}
