/// The words from which names of shop articles are combined.
///
/// A name is a noun preceded by a material, by a kind, or by a kind and a material, such as "Walnut Serving Tray" or
/// "Insulated Travel Mug". No two combinations result in the same name. The lists and their order are part of the
/// dataset, so a change to them requires a new dataset version.
enum ItemNames {
    /// The materials of articles, capitalized.
    static let materials: [String] = [
        "Acacia", "Acrylic", "Alabaster", "Aluminium", "Ash", "Bamboo", "Beech", "Birch", "Brass", "Bronze",
        "Canvas", "Cashmere", "Cast-Iron", "Cedar", "Ceramic", "Cherrywood", "Chrome", "Copper", "Corduroy",
        "Cork", "Cotton", "Crystal", "Denim", "Down", "Earthenware", "Enamel", "Felt", "Flannel", "Fleece",
        "Glass", "Granite", "Hemp", "Jute", "Leather", "Linen", "Maple", "Marble", "Mesh", "Nylon", "Oak",
        "Olive-Wood", "Paper", "Pewter", "Pine", "Plywood", "Polyester", "Porcelain", "Rattan", "Resin",
        "Rubber", "Satin", "Silicone", "Silk", "Slate", "Soapstone", "Stainless-Steel", "Stoneware", "Straw",
        "Suede", "Teak", "Terracotta", "Tin", "Titanium", "Velvet", "Walnut", "Wicker", "Wool", "Zinc",
    ]

    /// The adjectives that describe articles, capitalized.
    static let kinds: [String] = [
        "Adjustable", "Airtight", "Collapsible", "Compact", "Cordless", "Decorative", "Double-Walled",
        "Extendable", "Fireproof", "Foldable", "Folding", "Freestanding", "Hand-Painted", "Hand-Woven",
        "Handmade", "Hanging", "Heavy-Duty", "Insulated", "Large", "Lightweight", "Lined", "Magnetic", "Mini",
        "Modern", "Non-Slip", "Padded", "Pleated", "Portable", "Quilted", "Rechargeable", "Recycled", "Curved",
        "Oval", "Square", "Tall", "Tapered", "Washable", "Reversible", "Ribbed", "Round", "Rustic", "Slim",
        "Small", "Stackable", "Striped", "Telescopic", "Vintage", "Wall-Mounted", "Waterproof", "Wide",
    ]

    /// The nouns for articles, of one or two capitalized words; the last ones contain characters outside ASCII.
    static let nouns: [String] = [
        "Alarm Clock", "Apron", "Armchair", "Baking Tray", "Bath Mat", "Bean Bag", "Beach Towel",
        "Bedside Table", "Bench", "Bird Feeder", "Blanket", "Bookcase", "Bookend", "Bottle Opener", "Bowl",
        "Bread Bin", "Bread Knife", "Broom", "Bucket", "Butter Dish", "Cake Stand", "Candle Holder",
        "Card Holder", "Chopping Board", "Coaster Set", "Coat Rack", "Coffee Grinder", "Coffee Table",
        "Colander", "Corkscrew", "Cushion", "Cutlery Set", "Desk Lamp", "Desk Organiser", "Dinner Plate",
        "Dish Rack", "Document Folder", "Door Stop", "Doormat", "Drawer Unit", "Drinking Glass", "Duvet Cover",
        "Egg Cup", "Espresso Cup", "Extension Lead", "Face Towel", "File Box", "Flower Pot", "Floor Lamp",
        "Footstool", "Frying Pan", "Fruit Bowl", "Garden Chair", "Garden Hose", "Gift Box", "Gloves",
        "Hair Brush", "Hammock", "Hand Mirror", "Handbag", "Ice Bucket", "Ironing Board", "Jewellery Box",
        "Jug", "Key Ring", "Kettle", "Kitchen Scale", "Kitchen Timer", "Ladle", "Lampshade", "Lantern",
        "Laptop Sleeve", "Laundry Basket", "Letter Opener", "Lunch Box", "Magazine Rack", "Measuring Cup",
        "Measuring Tape", "Milk Jug", "Mixing Bowl", "Mortar", "Mug", "Napkin Ring", "Notebook", "Oil Lamp",
        "Oven Glove", "Paper Knife", "Pasta Spoon", "Pen Holder", "Pencil Case", "Pepper Mill", "Photo Frame",
        "Picnic Basket", "Pillow", "Pillowcase", "Plant Stand", "Potato Peeler", "Rolling Pin", "Room Divider",
        "Rucksack", "Rug", "Salad Bowl", "Salt Shaker", "Saucepan", "Scarf", "Screwdriver", "Serving Tray",
        "Sewing Box", "Shelf", "Shoe Rack", "Shopping Bag", "Shower Curtain", "Side Table", "Soap Dish",
        "Spice Rack", "Storage Box", "Stool", "Suitcase", "Sugar Bowl", "Table Lamp", "Table Runner",
        "Tablecloth", "Tea Strainer", "Tea Towel", "Teapot", "Toast Rack", "Tool Box", "Toothbrush Holder",
        "Torch", "Towel Rail", "Travel Mug", "Umbrella", "Umbrella Stand", "Utensil Jar", "Vase", "Wall Clock",
        "Wall Hook", "Wallet", "Wardrobe", "Wash Bag", "Waste Bin", "Water Bottle", "Watering Can", "Whisk",
        "Window Box", "Wine Rack", "Writing Desk", "Café Cup", "Cafetière", "Crêpe Pan", "Décor Frame",
        "Fußmatte", "Jardinière", "Küchenwaage", "Pâté Dish", "Purée Sieve", "Rosé Glass", "Sauté Pan",
        "Smörgås Board", "Soufflé Dish",
    ]
}
