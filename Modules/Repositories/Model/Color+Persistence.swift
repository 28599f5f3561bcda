public import Foundation
public import StrataDomain
public import StrataPersistence

extension Color: PersistentRecord {
    /// Colours: `hex`, `name`, and `dateCreated`, which is now unless given.
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
    /// The colour.
    public var hex: HexColor { record.hex }
    /// The name, if it has one.
    public var name: String? { record.name }
    /// When it was made.
    public var dateCreated: Date { record.dateCreated }
}
