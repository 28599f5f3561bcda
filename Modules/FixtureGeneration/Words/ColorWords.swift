/// The names of colours.
///
/// The lists and their order are part of the dataset: a change to them is a new version.
enum ColorWords {
    /// An adjective and a noun.
    static func name(_ row: RowSource) -> String {
        let adjective = row.pick(ColorField.adjective, from: adjectives)
        switch row.flavour(ColorField.flavour) {
        case .plain: return "\(adjective) \(row.pick(ColorField.noun, from: nouns))"
        case .nonASCII: return "\(adjective) \(row.pick(ColorField.noun, from: nonASCIINouns))"
        case .quoted: return "\(row.pick(ColorField.noun, from: nouns)), \(adjective)"
        }
    }

    private static let adjectives = [
        "bright", "burnt", "calm", "clear", "cold", "cool", "dark", "deep", "dusty", "electric", "faded", "faint",
        "hazy", "icy", "light", "matte", "muted", "neon", "pale", "pastel", "rich", "royal", "rusty", "shiny", "smoky",
        "soft", "sunny", "vivid", "warm", "wild",
    ]

    private static let nouns = [
        "amber", "apricot", "aqua", "ash", "azure", "beige", "blue", "brick", "bronze", "brown", "charcoal", "cherry",
        "cobalt", "copper", "coral", "cream", "crimson", "cyan", "emerald", "fern", "forest", "gold", "grape", "grey",
        "green", "indigo", "ivory", "jade", "khaki", "lavender", "lemon", "lilac", "lime", "magenta", "maroon", "mint",
        "moss", "mustard", "navy", "ochre", "olive", "orange", "orchid", "peach", "pink", "plum", "purple", "red",
        "rose", "ruby", "rust", "sage", "salmon", "sand", "sapphire", "scarlet", "sky", "slate", "tan", "teal",
        "turquoise", "violet", "wheat", "yellow",
    ]

    private static let nonASCIINouns = [
        "açaí", "café", "châtaigne", "crème", "éclair", "jalapeño", "maté", "piñata", "rosé", "blåbær", "grün", "sødme",
    ]
}
