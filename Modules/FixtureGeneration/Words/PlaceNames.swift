/// The names of cities, streets and countries from which addresses are generated.
///
/// The lists and their order are part of the dataset, so a change to them requires a new dataset version.
enum PlaceNames {
    static let cities: [String] = [
        "Aarhus", "Amsterdam", "Antwerp", "Athens", "Auckland", "Barcelona", "Basel", "Bergen", "Berlin", "Bilbao",
        "Bologna", "Bordeaux", "Boston", "Bratislava", "Bremen", "Brisbane", "Bristol", "Brno", "Brussels", "Budapest",
        "Calgary", "Cardiff", "Chicago", "Cologne", "Copenhagen", "Cork", "Dallas", "Denver", "Dresden", "Dublin",
        "Edinburgh", "Eindhoven", "Florence", "Gdańsk", "Geneva", "Genoa", "Ghent", "Glasgow", "Gothenburg", "Graz",
        "Hamburg", "Hanover", "Helsinki", "Innsbruck", "Istanbul", "Kraków", "Leeds", "Leipzig", "Lille", "Linz",
        "Lisbon", "Ljubljana", "London", "Lyon", "Madrid", "Malmö", "Manchester", "Marseille", "Melbourne", "Milan",
        "Montreal", "Munich", "Nantes", "Naples", "Nice", "Nuremberg", "Oslo", "Ottawa", "Oxford", "Palermo",
        "Paris", "Perth", "Porto", "Portland", "Poznań", "Prague", "Reykjavík", "Riga", "Rome", "Rotterdam",
        "Salzburg", "Seattle", "Seville", "Sheffield", "Stockholm", "Strasbourg", "Stuttgart", "Sydney", "Tallinn",
        "Tampere", "Toronto", "Toulouse", "Trieste", "Trondheim", "Turin", "Turku", "Uppsala", "Utrecht", "Valencia",
        "Vancouver", "Venice", "Verona", "Vienna", "Vilnius", "Warsaw", "Wellington", "Wrocław", "York", "Zagreb",
        "Zürich",
    ]

    /// The street names, which precede a house number.
    static let streets: [String] = [
        "Abbey Road", "Baker Street", "Bahnhofstraße", "Birch Lane", "Bridge Street", "Calle Mayor", "Canal Street",
        "Castle Hill", "Cedar Avenue", "Chapel Lane", "Church Street", "Cliff Road", "Dorfstraße", "Elm Street",
        "Farm Lane", "Field Road", "Garden Street", "Gartenweg", "Grange Road", "Green Lane", "Grove Road",
        "Harbour Street", "Hauptstraße", "High Street", "Hill Road", "Kerkstraat", "King Street", "Lake View",
        "Lindenallee", "Main Street", "Maple Avenue", "Market Square", "Meadow Lane", "Mill Road", "Mühlenweg",
        "Oak Street", "Orchard Road", "Park Avenue", "Parkweg", "Pine Street", "Queen Street", "Ringstraße",
        "River Road", "Rue de l’Église", "Rue du Moulin", "Schulstraße", "School Lane", "South Street", "Spring Street",
        "Station Road", "Storgatan", "Summer Lane", "Temple Road", "Tower Street", "Via Garibaldi", "Via Roma",
        "Victoria Road", "Vine Street", "Waldweg", "Water Lane", "West Street", "Willow Way", "Windmill Lane",
    ]

    /// The English names of countries, with their ISO 3166-1 codes.
    static let countries: [(name: String, code: String)] = [
        ("Argentina", "AR"), ("Australia", "AU"), ("Austria", "AT"), ("Bangladesh", "BD"), ("Belgium", "BE"),
        ("Bolivia", "BO"), ("Brazil", "BR"), ("Bulgaria", "BG"), ("Cambodia", "KH"), ("Canada", "CA"), ("Chile", "CL"),
        ("China", "CN"), ("Colombia", "CO"), ("Costa Rica", "CR"), ("Croatia", "HR"), ("Cuba", "CU"), ("Cyprus", "CY"),
        ("Czechia", "CZ"), ("Denmark", "DK"), ("Ecuador", "EC"), ("Egypt", "EG"), ("Estonia", "EE"), ("Ethiopia", "ET"),
        ("Finland", "FI"), ("France", "FR"), ("Georgia", "GE"), ("Germany", "DE"), ("Ghana", "GH"), ("Greece", "GR"),
        ("Guatemala", "GT"), ("Hungary", "HU"), ("Iceland", "IS"), ("India", "IN"), ("Indonesia", "ID"),
        ("Ireland", "IE"),
        ("Israel", "IL"), ("Italy", "IT"), ("Jamaica", "JM"), ("Japan", "JP"), ("Jordan", "JO"), ("Kenya", "KE"),
        ("Latvia", "LV"), ("Lithuania", "LT"), ("Luxembourg", "LU"), ("Madagascar", "MG"), ("Malaysia", "MY"),
        ("Malta", "MT"), ("Mexico", "MX"), ("Mongolia", "MN"), ("Morocco", "MA"), ("Nepal", "NP"),
        ("Netherlands", "NL"),
        ("New Zealand", "NZ"), ("Nigeria", "NG"), ("Norway", "NO"), ("Pakistan", "PK"), ("Panama", "PA"),
        ("Peru", "PE"),
        ("Philippines", "PH"), ("Poland", "PL"), ("Portugal", "PT"), ("Romania", "RO"), ("Senegal", "SN"),
        ("Serbia", "RS"),
        ("Singapore", "SG"), ("Slovakia", "SK"), ("Slovenia", "SI"), ("South Africa", "ZA"), ("South Korea", "KR"),
        ("Spain", "ES"), ("Sri Lanka", "LK"), ("Sweden", "SE"), ("Switzerland", "CH"), ("Tanzania", "TZ"),
        ("Thailand", "TH"), ("Tunisia", "TN"), ("Turkey", "TR"), ("Uganda", "UG"), ("Ukraine", "UA"),
        ("United Kingdom", "GB"), ("United States", "US"), ("Uruguay", "UY"), ("Vietnam", "VN"), ("Zambia", "ZM"),
    ]
}
