/// The plain words for texts without a known meaning, and for names in e-mail addresses.
///
/// The lists and their order are part of the dataset, so a change to them requires a new dataset version.
enum PlainWords {
    static let adjectives: [String] = [
        "amber", "ancient", "autumn", "blue", "bold", "brave", "bright", "broad", "calm", "clear", "cold", "crisp",
        "curious", "dark", "deep", "distant", "early", "even", "fair", "fine", "fresh", "gentle", "golden", "grand",
        "green", "hidden", "high", "honest", "kind", "late", "light", "little", "long", "lucky", "mild", "narrow",
        "new", "noble", "northern", "open", "plain", "proud", "pure", "quick", "quiet", "rare", "red", "round",
        "silent",
        "silver", "simple", "small", "smooth", "soft", "southern", "steady", "still", "strong", "sunny", "swift",
        "tall",
        "warm", "western", "wide", "wild", "young",
    ]

    static let nouns: [String] = [
        "anchor", "apple", "arrow", "basket", "beacon", "bell", "birch", "bridge", "brook", "candle", "canyon",
        "castle",
        "cedar", "circle", "cliff", "cloud", "coast", "compass", "copper", "corner", "creek", "crown", "delta",
        "desert",
        "dune", "eagle", "ember", "engine", "falcon", "feather", "field", "forest", "fountain", "garden", "gate",
        "glacier",
        "harbour", "harvest", "hill", "horizon", "island", "journey", "kettle", "ladder", "lake", "lantern", "leaf",
        "lighthouse", "maple", "meadow", "mill", "mirror", "moon", "morning", "mountain", "oak", "ocean", "orchard",
        "path",
        "pebble", "pine", "planet", "pond", "prairie", "quarry", "rain", "reef", "ridge", "river", "road", "sail",
        "shore",
        "sky", "spring", "star", "stone", "storm", "stream", "summit", "thunder", "tower", "trail", "tree", "valley",
        "village", "wave", "willow", "wind", "window", "winter",
    ]

    static let verbs: [String] = [
        "carries", "crosses", "finds", "follows", "guards", "holds", "joins", "keeps", "knows", "leaves", "meets",
        "needs",
        "passes", "reaches", "remembers", "shares", "shows", "supports", "touches", "turns",
    ]

    /// The given names in e-mail addresses, in lowercase ASCII letters.
    static let given: [String] = [
        "ada", "alan", "alice", "anna", "ben", "bruno", "carla", "chloe", "clara", "daniel", "david", "diana", "elena",
        "emil", "emma", "erik", "eva", "felix", "finn", "fiona", "george", "grace", "hanna", "henry", "hugo", "ida",
        "irene",
        "ivan", "jack", "jana", "julia", "karl", "kate", "laura", "leo", "lena", "lily", "lucas", "maria", "mark",
        "marta",
        "max", "mia", "nina", "noah", "nora", "olga", "oscar", "paul", "petra", "rosa", "ruth", "sam", "sara", "simon",
        "sofia", "tara", "tom", "vera", "will",
    ]

    /// The family names in e-mail addresses, in lowercase ASCII letters.
    static let family: [String] = [
        "adams", "baker", "becker", "bell", "bianchi", "brown", "carter", "clark", "cohen", "cook", "costa", "davis",
        "diaz", "dubois", "evans", "fischer", "ford", "garcia", "gray", "green", "hall", "hansen", "harris", "hill",
        "hughes",
        "ito", "jansen", "jones", "keller", "khan", "king", "klein", "kowalski", "lang", "larsen", "lee", "lewis",
        "lopez",
        "martin", "meyer", "miller", "moore", "moreau", "murphy", "nguyen", "novak", "olsen", "owen", "patel", "perez",
        "reed", "rossi", "roy", "santos", "silva", "smith", "stone", "tanaka", "walker", "weber", "young",
    ]

    /// The domains that are reserved for examples (RFC 2606).
    static let domains: [String] = ["example.com", "example.net", "example.org"]

    static let companyForms: [String] = [
        "AG", "Co.", "GmbH", "Group", "Inc.", "Ltd", "& Sons", "Partners", "S.A.", "Works",
    ]
}
