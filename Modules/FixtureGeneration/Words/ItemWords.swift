/// The names of items.
///
/// The lists and their order are part of the dataset: a change to them is a new version.
enum ItemWords {
    /// An adjective and a noun.
    static func name(_ row: RowSource) -> String {
        let adjective = row.pick(ItemField.adjective, from: adjectives)
        switch row.flavour(ItemField.flavour) {
        case .plain: return "\(adjective) \(row.pick(ItemField.noun, from: nouns))"
        case .nonASCII: return "\(adjective) \(row.pick(ItemField.noun, from: nonASCIINouns))"
        case .quoted: return "\(row.pick(ItemField.noun, from: nouns)), \(adjective)"
        }
    }

    private static let adjectives = [
        "Adjustable", "Bamboo", "Black", "Brass", "Ceramic", "Classic", "Compact", "Copper", "Cotton", "Cordless",
        "Double", "Enamel", "Folding", "Glass", "Heavy", "Insulated", "Large", "Leather", "Linen", "Maple", "Marble",
        "Medium", "Oak", "Portable", "Recycled", "Rubber", "Small", "Stainless", "Steel", "Walnut", "White", "Wool",
    ]

    private static let nouns = [
        "Apron", "Backpack", "Basket", "Bench", "Blanket", "Bookend", "Bottle", "Bowl", "Box", "Brush", "Bucket",
        "Candle", "Chair", "Clock", "Coaster", "Cup", "Cushion", "Desk", "Drawer", "Drill", "Fan", "Frame", "Glove",
        "Hammer", "Hook", "Jar", "Jug", "Kettle", "Knife", "Ladder", "Lamp", "Mat", "Mirror", "Mug", "Notebook", "Pan",
        "Pen", "Plate", "Rack", "Rug", "Scale", "Scissors", "Shelf", "Spoon", "Stool", "Table", "Teapot", "Timer",
        "Toolbox", "Towel", "Tray", "Vase", "Wallet",
    ]

    private static let nonASCIINouns = [
        "Café Cup", "Cafetière", "Crêpe Pan", "Décor Frame", "Fußmatte", "Küche Knife", "Mañana Clock", "Paté Dish",
        "Purée Sieve", "Rosé Glass", "Sauté Pan", "Smörgås Board",
    ]
}
