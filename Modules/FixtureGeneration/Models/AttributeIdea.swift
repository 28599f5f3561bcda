import Foundation
import StrataCore

/// Realistic values for attributes with certain names.
///
/// The table is part of the dataset, so a change to it requires a new dataset version. Each name occurs once, in
/// lowercase letters without separators. A name with the name of an entity as a prefix applies only to that entity.
struct AttributeIdea {
    /// The names.
    let names: [String]
    /// The generators in order of likelihood; those of another type, or with values that the rules forbid, are skipped.
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

    static let all: [AttributeIdea] = people + places + texts + codes + numbers + times + truths

    private static let people = [
        AttributeIdea("firstname givenname forename vorname prenom", .kind(.givenName)),
        AttributeIdea("lastname familyname surname nachname", .kind(.familyName)),
        AttributeIdea(
            "name fullname contact author owner manager person customer employee recipient sender patient teacher",
            .kind(.fullName)),
        AttributeIdea("username login nickname handle account", .kind(.userName)),
        AttributeIdea(
            "email emailaddress mail", .kind(.email), .pattern("[a-z]{4,9}\\d{6}@example\\.(com|net|org)")),
        AttributeIdea("phone phonenumber telephone tel mobile fax cell telefon", .pattern("\\+1 555 \\d{3} \\d{4}")),
        AttributeIdea("gender sex", .oneOf(["female", "male", "other"]), .oneOf(["f", "m", "x"])),
        AttributeIdea(
            "jobtitle job profession occupation position",
            .oneOf([
                "accountant", "analyst", "assistant", "consultant", "designer", "developer", "director", "engineer",
                "manager",
            ])
        ),
        AttributeIdea(
            "department team departmentname teamname division",
            .oneOf([
                "Accounting", "Customer Care", "Design", "Engineering", "Legal", "Marketing", "Production",
                "Purchasing", "Sales",
            ])
        ),
        AttributeIdea("role", .oneOf(["admin", "editor", "guest", "member", "owner"])),
    ]

    private static let places = [
        AttributeIdea("city town cityname ort stadt birthplace", .kind(.city)),
        AttributeIdea("country nation countryname land nationality", .kind(.country), .kind(.countryCode)),
        AttributeIdea("countrycode iso countrycode2", .kind(.countryCode)),
        AttributeIdea("street address addressline streetaddress strasse addressline1", .kind(.street)),
        AttributeIdea("zip zipcode postalcode postcode plz", .pattern("[1-9]\\d{4}")),
        AttributeIdea("region province county state", .oneOf(["Central", "East", "North", "South", "West"])),
        AttributeIdea("latitude lat", .uniform(-90...90)),
        AttributeIdea("longitude lng lon", .uniform(-180...180)),
    ]

    private static let texts = [
        AttributeIdea(
            "company companyname organization organisation employer supplier vendor firm firma", .kind(.company)),
        AttributeIdea(
            "productname itemname articlename product item article goods materialname", .kind(.itemName)),
        AttributeIdea(
            "category label tag tagname topic group groupname categoryname keyword keywords typename kindname",
            .kind(.words)),
        AttributeIdea("title subject headline heading caption booktitle", .kind(.title)),
        AttributeIdea(
            "description comment comments note notes text summary body content message remark remarks details abstract bemerkung",
            .kind(.sentence)),
        AttributeIdea("color colour colorname", .kind(.colorName), .pattern("#[0-9A-F]{6}")),
        AttributeIdea("hex hexcolor colorcode rgb", .pattern("#[0-9A-F]{6}")),
        AttributeIdea(
            "status orderstatus",
            .oneOf([.init("active", weight: 6), .init("pending", weight: 2), .init("closed", weight: 2)])),
        AttributeIdea("priority severity", .oneOf(["low", "medium", "high"]), .uniform(1...5)),
        AttributeIdea("type kind", .oneOf(["basic", "standard", "premium"])),
        AttributeIdea("size", .oneOf(["XS", "S", "M", "L", "XL"]), amounts(40, hundredths(80), 1...500)),
        AttributeIdea("unit", .oneOf(["kg", "l", "m", "pcs"])),
        AttributeIdea(
            "url website homepage link uri webpage", .pattern("https://example\\.(com|net|org)/[a-z]{4,10}")),
        AttributeIdea("image picture photo avatar logo", .pattern("images/[a-z]{4,8}-\\d{3}\\.jpg")),
        AttributeIdea("filename file path", .pattern("[a-z]{4,8}-\\d{2}\\.(csv|pdf|txt)")),
    ]

    private static let codes = [
        AttributeIdea(
            "code sku key identifier articlenumber partnumber reference ref serial serialnumber",
            .pattern("[A-Z]{2}-\\d{6}"), .uniform(100_000...999_999)),
        AttributeIdea("uuid guid", .pattern("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")),
        AttributeIdea("slug", .pattern("[a-z]{3,8}-[a-z]{3,8}-\\d{2}")),
        AttributeIdea("isbn", .pattern("978-\\d-\\d{2}-\\d{6}-\\d")),
        AttributeIdea("iban", .pattern("DE\\d{20}")),
        AttributeIdea("ip ipaddress", .pattern("192\\.0\\.2\\.(\\d|[1-9]\\d|1\\d\\d)")),
        AttributeIdea("password passwordhash hash token secret checksum digest", .pattern("[0-9a-f]{32}")),
        AttributeIdea("currency currencycode", .oneOf(["CHF", "EUR", "GBP", "JPY", "USD"])),
        AttributeIdea("language locale languagecode", .oneOf(["de", "en", "es", "fr", "it", "pl"])),
        AttributeIdea("timezone", .oneOf(["Asia/Tokyo", "Europe/Berlin", "Europe/London", "UTC"])),
    ]

    private static let numbers = [
        AttributeIdea("price unitprice listprice cost unitcost fee", amounts(18, 1, hundredths(50)...2_000)),
        AttributeIdea("amount total sum balance budget revenue subtotal value net gross", amounts(120, 1, 1...20_000)),
        AttributeIdea("salary income wage", amounts(52_000, hundredths(45), 18_000...400_000)),
        AttributeIdea("quantity qty pieces menge copies", amounts(3, hundredths(80), 1...100)),
        AttributeIdea("stock stockcount inventory instock unitsinstock", amounts(25, hundredths(150), 0...2_000)),
        AttributeIdea("population", amounts(60_000, hundredths(150), 200...9_000_000)),
        AttributeIdea("age", .uniform(18...90)),
        AttributeIdea("year founded", .uniform(1950...2024)),
        AttributeIdea("month", .uniform(1...12)),
        AttributeIdea("weekday", .uniform(1...7)),
        AttributeIdea("rating stars grade", .uniform(1...5)),
        AttributeIdea("score points", .uniform(0...100)),
        AttributeIdea("percent percentage discount share", .uniform(0...100)),
        AttributeIdea("rate tax vat", .uniform(0...25)),
        AttributeIdea("width height length depth distance", amounts(40, hundredths(80), 1...500)),
        AttributeIdea("weight mass", amounts(2, 1, hundredths(1)...200)),
        AttributeIdea("temperature", .normal(mean: 15, deviation: 8, .init(-30...45))),
        AttributeIdea("duration minutes seconds hours", amounts(45, hundredths(80), 1...600)),
        AttributeIdea("views likes clicks downloads visits", amounts(150, hundredths(150), 0...1_000_000)),
        AttributeIdea("sortorder sortkey rank sequence line lineno linenumber index ordinal", .uniform(1...100)),
        AttributeIdea("version revision", .uniform(1...20)),
    ]

    private static let times = [
        AttributeIdea(
            "birthday birthdate dateofbirth dob born geburtstag geburtsdatum", from(1940, to: 2007, .day)),
        AttributeIdea("hired hiredate datehired hiredat joined joinedat since", from(1995, .day)),
        AttributeIdea(
            "created createdat datecreated createdon creationdate date datetime timestamp at time when orderdate orderedat ordered "
                + "registered registeredat published publishedat start startdate startedat startsat begin from validfrom sent sentat",
            from(2010, .second)),
    ]

    private static let truths = [
        AttributeIdea("deleted isdeleted archived isarchived blocked isblocked hidden ishidden", .chance(.percent(5))),
        AttributeIdea(
            "active isactive enabled isenabled visible isvisible paid ispaid confirmed", .chance(.percent(80))),
    ]

    // MARK: - Attributes that depend on another one

    /// An attribute whose values are not before, or not less than, those of another attribute of the row.
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

    /// The percentages by which a price exceeds its cost.
    static let markup = 5...80
    /// Attributes whose values exceed those of another attribute of the row.
    static let dearer: [(names: [String], costs: [String])] = [
        (["price", "unitprice", "listprice", "saleprice"], ["cost", "unitcost", "purchaseprice"])
    ]
}
