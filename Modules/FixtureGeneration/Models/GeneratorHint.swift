import Foundation
import StrataCore

/// An entry in the table of realistic values for attributes with certain names.
///
/// The table is part of the dataset, so a change to it requires a new dataset version. Each attribute name occurs once,
/// in lowercase letters without separators. An attribute name that begins with the name of an entity applies only to
/// that entity.
struct GeneratorHint {
    /// The attribute names to which the entry applies.
    let names: [String]
    /// The generators, the most likely first; a generator of another type or of values that the rules forbid is
    /// skipped.
    let generators: [FixtureGenerator]

    private init(_ names: String, _ generators: FixtureGenerator...) {
        self.names = names.split(separator: " ").map(String.init)
        self.generators = generators
    }

    private static func amounts(_ median: Decimal, _ sigma: Decimal, _ range: ClosedRange<Decimal>) -> FixtureGenerator
    {
        .logNormal(median: median, sigma: sigma, .init(range))
    }

    private static func hundredths(_ number: Int) -> Decimal { Decimal(number) / 100 }

    private static func from(_ first: Int, to last: Int? = nil, _ precision: FixtureGenerator.Precision)
        -> FixtureGenerator
    {
        .dates(
            from: CivilDay.beginning(first), to: last.map { CivilDay.beginning($0) }, weekdays: nil,
            precision: precision)
    }

    // MARK: - The table

    static let all: [GeneratorHint] = people + places + texts + codes + numbers + times + truths

    private static let people = [
        GeneratorHint("firstname givenname forename vorname prenom", .kind(.givenName)),
        GeneratorHint("lastname familyname surname nachname", .kind(.familyName)),
        GeneratorHint(
            "name fullname contact author owner manager person customer employee recipient sender patient teacher",
            .kind(.fullName)),
        GeneratorHint("username login nickname handle account", .kind(.userName)),
        GeneratorHint(
            "email emailaddress mail", .kind(.email), .pattern("[a-z]{4,9}\\d{6}@example\\.(com|net|org)")),
        GeneratorHint("phone phonenumber telephone tel mobile fax cell telefon", .pattern("\\+1 555 \\d{3} \\d{4}")),
        GeneratorHint("gender sex", .oneOf(["female", "male", "other"]), .oneOf(["f", "m", "x"])),
        GeneratorHint(
            "jobtitle job profession occupation position",
            .oneOf([
                "accountant", "analyst", "assistant", "consultant", "designer", "developer", "director", "engineer",
                "manager",
            ])
        ),
        GeneratorHint(
            "department team departmentname teamname division",
            .oneOf([
                "Accounting", "Customer Care", "Design", "Engineering", "Legal", "Marketing", "Production",
                "Purchasing", "Sales",
            ])
        ),
        GeneratorHint("role", .oneOf(["admin", "editor", "guest", "member", "owner"])),
    ]

    private static let places = [
        GeneratorHint("city town cityname ort stadt birthplace", .kind(.city)),
        GeneratorHint("country nation countryname land nationality", .kind(.country), .kind(.countryCode)),
        GeneratorHint("countrycode iso countrycode2", .kind(.countryCode)),
        GeneratorHint("street address addressline streetaddress strasse addressline1", .kind(.street)),
        GeneratorHint("zip zipcode postalcode postcode plz", .pattern("[1-9]\\d{4}")),
        GeneratorHint("region province county state", .oneOf(["Central", "East", "North", "South", "West"])),
        GeneratorHint("latitude lat", .uniform(-90...90)),
        GeneratorHint("longitude lng lon", .uniform(-180...180)),
    ]

    private static let texts = [
        GeneratorHint(
            "company companyname organization organisation employer supplier vendor firm firma", .kind(.company)),
        GeneratorHint(
            "productname itemname articlename product item article goods materialname", .kind(.itemName)),
        GeneratorHint(
            "category label tag tagname topic group groupname categoryname keyword keywords typename kindname",
            .kind(.words)),
        GeneratorHint("title subject headline heading caption booktitle", .kind(.title)),
        GeneratorHint(
            "description comment comments note notes text summary body content message remark remarks details abstract bemerkung",
            .kind(.sentence)),
        GeneratorHint("color colour colorname", .kind(.colorName), .pattern("#[0-9A-F]{6}")),
        GeneratorHint("hex hexcolor colorcode rgb", .pattern("#[0-9A-F]{6}")),
        GeneratorHint(
            "status orderstatus",
            .oneOf([.init("active", weight: 6), .init("pending", weight: 2), .init("closed", weight: 2)])),
        GeneratorHint("priority severity", .oneOf(["low", "medium", "high"]), .uniform(1...5)),
        GeneratorHint("type kind", .oneOf(["basic", "standard", "premium"])),
        GeneratorHint("size", .oneOf(["XS", "S", "M", "L", "XL"]), amounts(40, hundredths(80), 1...500)),
        GeneratorHint("unit", .oneOf(["kg", "l", "m", "pcs"])),
        GeneratorHint(
            "url website homepage link uri webpage", .pattern("https://example\\.(com|net|org)/[a-z]{4,10}")),
        GeneratorHint("image picture photo avatar logo", .pattern("images/[a-z]{4,8}-\\d{3}\\.jpg")),
        GeneratorHint("filename file path", .pattern("[a-z]{4,8}-\\d{2}\\.(csv|pdf|txt)")),
    ]

    private static let codes = [
        GeneratorHint(
            "code sku key identifier articlenumber partnumber reference ref serial serialnumber",
            .pattern("[A-Z]{2}-\\d{6}"), .uniform(100_000...999_999)),
        GeneratorHint("uuid guid", .pattern("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")),
        GeneratorHint("slug", .pattern("[a-z]{3,8}-[a-z]{3,8}-\\d{2}")),
        GeneratorHint("isbn", .pattern("978-\\d-\\d{2}-\\d{6}-\\d")),
        GeneratorHint("iban", .pattern("DE\\d{20}")),
        GeneratorHint("ip ipaddress", .pattern("192\\.0\\.2\\.(\\d|[1-9]\\d|1\\d\\d)")),
        GeneratorHint("password passwordhash hash token secret checksum digest", .pattern("[0-9a-f]{32}")),
        GeneratorHint("currency currencycode", .oneOf(["CHF", "EUR", "GBP", "JPY", "USD"])),
        GeneratorHint("language locale languagecode", .oneOf(["de", "en", "es", "fr", "it", "pl"])),
        GeneratorHint("timezone", .oneOf(["Asia/Tokyo", "Europe/Berlin", "Europe/London", "UTC"])),
    ]

    private static let numbers = [
        GeneratorHint("price unitprice listprice cost unitcost fee", amounts(18, 1, hundredths(50)...2_000)),
        GeneratorHint("amount total sum balance budget revenue subtotal value net gross", amounts(120, 1, 1...20_000)),
        GeneratorHint("salary income wage", amounts(52_000, hundredths(45), 18_000...400_000)),
        GeneratorHint("quantity qty pieces menge copies", amounts(3, hundredths(80), 1...100)),
        GeneratorHint("stock stockcount inventory instock unitsinstock", amounts(25, hundredths(150), 0...2_000)),
        GeneratorHint("population", amounts(60_000, hundredths(150), 200...9_000_000)),
        GeneratorHint("age", .uniform(18...90)),
        GeneratorHint("year founded", .uniform(1950...2024)),
        GeneratorHint("month", .uniform(1...12)),
        GeneratorHint("weekday", .uniform(1...7)),
        GeneratorHint("rating stars grade", .uniform(1...5)),
        GeneratorHint("score points", .uniform(0...100)),
        GeneratorHint("percent percentage discount share", .uniform(0...100)),
        GeneratorHint("rate tax vat", .uniform(0...25)),
        GeneratorHint("width height length depth distance", amounts(40, hundredths(80), 1...500)),
        GeneratorHint("weight mass", amounts(2, 1, hundredths(1)...200)),
        GeneratorHint("temperature", .normal(mean: 15, deviation: 8, .init(-30...45))),
        GeneratorHint("duration minutes seconds hours", amounts(45, hundredths(80), 1...600)),
        GeneratorHint("views likes clicks downloads visits", amounts(150, hundredths(150), 0...1_000_000)),
        GeneratorHint("sortorder sortkey rank sequence line lineno linenumber index ordinal", .uniform(1...100)),
        GeneratorHint("version revision", .uniform(1...20)),
    ]

    private static let times = [
        GeneratorHint(
            "birthday birthdate dateofbirth dob born geburtstag geburtsdatum", from(1940, to: 2007, .day)),
        GeneratorHint("hired hiredate datehired hiredat joined joinedat since", from(1995, .day)),
        GeneratorHint(
            "created createdat datecreated createdon creationdate date datetime timestamp at time when orderdate orderedat ordered "
                + "registered registeredat published publishedat start startdate startedat startsat begin from validfrom sent sentat",
            from(2010, .second)),
    ]

    private static let truths = [
        GeneratorHint("deleted isdeleted archived isarchived blocked isblocked hidden ishidden", .chance(.percent(5))),
        GeneratorHint(
            "active isactive enabled isenabled visible isvisible paid ispaid confirmed", .chance(.percent(80))),
    ]

    // MARK: - Attributes that depend on another one

    /// An attribute whose values are never before, or less than, those of another attribute of the same row.
    struct Follower {
        let names: [String]
        let followed: [String]
        let days: Int

        private init(_ names: String, follow followed: String, days: Int) {
            self.names = names.split(separator: " ").map(String.init)
            self.followed = followed.split(separator: " ").map(String.init)
            self.days = days
        }

        static let all = [
            Follower(
                "updated updatedat modified modifiedat changed changedat lastmodified lastupdated dateupdated datemodified lastlogin",
                follow:
                    "created createdat datecreated createdon creationdate registeredat registered orderedat orderdate",
                days: 700),
            Follower(
                "deleted deletedat archivedat closed closedat", follow: "created createdat datecreated openedat opened",
                days: 900),
            Follower(
                "end enddate endedat endsat until to validto finished finishedat",
                follow: "start startdate startedat startsat begin from validfrom", days: 90),
            Follower(
                "shipped shippedat shippeddate delivered deliveredat deliverydate paidat due duedate requireddate",
                follow: "ordered orderedat orderdate created createdat date", days: 30),
            Follower("returned returnedat", follow: "borrowed borrowedat lent lentat rented rentedat", days: 60),
        ]
    }

    /// The range of percentages by which a price exceeds the cost.
    static let markup = 5...80
    /// The names of attributes whose values exceed those of another attribute of the row, with the names of the other.
    static let dearer: [(names: [String], costs: [String])] = [
        (["price", "unitprice", "listprice", "saleprice"], ["cost", "unitcost", "purchaseprice"])
    ]
}
