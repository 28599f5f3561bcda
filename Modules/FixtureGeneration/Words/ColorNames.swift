/// The words from which names of colors are combined.
///
/// A name is a modifier and a hue with a space between them, such as "dusty rose" or "burnt sienna". No two
/// combinations result in the same name. The lists and their order are part of the dataset, so a change to them
/// requires a new dataset version.
enum ColorNames {
    /// The first words of color names, in lowercase.
    static let modifiers: [String] = [
        "acid", "ancient", "antique", "autumn", "baby", "bleached", "blushing", "bright", "brilliant", "burnt",
        "candy", "chalky", "clear", "cloudy", "cold", "cool", "creamy", "crisp", "crushed", "dark", "deep",
        "desert", "dirty", "dull", "dusky", "dusty", "earthy", "electric", "faded", "faint", "fiery", "foggy",
        "fresh", "frosted", "frosty", "ghostly", "glowing", "hazy", "hot", "icy", "intense", "light", "lush",
        "matte", "mellow", "midnight", "milky", "misty", "muddy", "murky", "muted", "neon", "old", "pale",
        "parched", "pastel", "pearly", "polished", "powdery", "pure", "rain-washed", "raw", "rich", "ripe",
        "roasted", "royal", "rusty", "sandy", "shadowy", "shiny", "silky", "smoky", "soft", "spring", "stormy",
        "summer", "sun-bleached", "sunny", "tinted", "toasted", "tropical", "velvet", "very dark",
        "very light", "vibrant", "vintage", "vivid", "warm", "washed-out", "weathered", "wild", "winter",
    ]

    /// The second words of color names, in lowercase; the last words contain characters outside ASCII.
    static let hues: [String] = [
        "almond", "amber", "amethyst", "apple", "apricot", "aqua", "aquamarine", "ash", "aubergine", "avocado",
        "azure", "banana", "barley", "beige", "berry", "black", "blue", "blueberry", "blush", "brass", "brick",
        "bronze", "brown", "butter", "butterscotch", "cantaloupe", "caramel", "cardamom", "carmine", "celadon",
        "cerulean", "charcoal", "cherry", "chestnut", "chocolate", "cinnamon", "clay", "clover", "cobalt",
        "cocoa", "coffee", "copper", "coral", "cornflower", "cranberry", "cream", "crimson", "cyan", "denim",
        "eggplant", "eggshell", "emerald", "evergreen", "fawn", "fern", "flamingo", "flax", "forest green",
        "fuchsia", "garnet", "ginger", "gold", "goldenrod", "granite", "grape", "grapefruit", "graphite",
        "grass green", "green", "grey", "gunmetal", "hazel", "heather", "heliotrope", "henna", "honey",
        "indigo", "iris", "ivory", "jade", "jasmine", "juniper", "khaki", "lapis", "lavender", "leaf green",
        "lemon", "lichen", "lilac", "lime", "linen", "magenta", "mahogany", "malachite", "mango", "marigold",
        "maroon", "mauve", "merlot", "mint", "moss", "mulberry", "mustard", "navy", "nectarine", "nutmeg",
        "oatmeal", "ochre", "olive", "orange", "orchid", "oyster", "papaya", "parchment", "peach", "peacock",
        "pear", "periwinkle", "petrol", "pewter", "pine", "pink", "pistachio", "plum", "poppy", "primrose",
        "prune", "pumpkin", "purple", "quartz", "quince", "raspberry", "red", "rose", "rosewood", "ruby",
        "russet", "rust", "saffron", "sage", "salmon", "sand", "sapphire", "scarlet", "sea green", "seafoam",
        "sepia", "shell", "sienna", "silver", "sky blue", "slate", "spruce", "steel", "straw", "strawberry",
        "tan", "tangerine", "taupe", "teal", "terracotta", "thistle", "tomato", "topaz", "turquoise",
        "ultramarine", "umber", "vanilla", "vermilion", "violet", "walnut", "watermelon", "wheat", "white",
        "wine", "wisteria", "yellow", "açaí", "café", "crème", "jalapeño", "maté", "rosé", "café au lait",
        "crème brûlée", "piña colada", "blåbær",
    ]
}
