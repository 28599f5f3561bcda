import Foundation
import StrataDomain
public import StrataFixtures

/// The fixture entities of the reference model.
///
/// The entities contain the default generators and row counts of descriptions. A description can change them for its
/// rows.
///
/// ## Topics
///
/// ### Obtaining the entities
///
/// - ``all(version:)``
public enum ReferenceEntities {
    /// Returns the entities of a dataset version, with the defaults for settings that a description omits.
    ///
    /// Every change to these entities requires a new version. The old version remains unchanged.
    ///
    /// - Parameter version: The dataset version.
    /// - Returns: The entities for colors, bosses, employees and items.
    /// - Throws: `FixtureError` with the code `unknown` if the version does not exist.
    public static func all(version: Int) throws(FixtureError) -> [FixtureEntity] {
        switch version {
        case 1: [color, boss, employee, item]
        default: throw FixtureDescription.unknown(version: version)
        }
    }

    /// 500 colors; a tenth of them have no name.
    static let color = FixtureEntity(
        "Color",
        [
            FixtureField("hex", type: .color, generator: .kind(.hexColor)),
            FixtureField("name", type: .text, generator: .kind(.colorName), nulls: .percent(10)),
            FixtureField("dateCreated", type: .date, generator: recorded),
        ], count: 500)

    /// 20 bosses with given and family names.
    static let boss = FixtureEntity(
        "Boss",
        [
            FixtureField("firstName", type: .text, generator: .kind(.givenName)),
            FixtureField("lastName", type: .text, generator: .kind(.familyName)),
        ], count: 20)

    /// 1,000 employees; a twentieth of them have no boss.
    static let employee = FixtureEntity(
        "Employee",
        [
            FixtureField("firstName", type: .text, generator: .kind(.givenName)),
            FixtureField("lastName", type: .text, generator: .kind(.familyName)),
            FixtureField(
                "salary", type: .integer,
                generator: .logNormal(median: 52_000, sigma: Decimal(45) / 100, .init(18_000...400_000, step: 100)),
                least: Decimal(Employee.minimumSalary)),
            // The weights are from Monday to Sunday: few employees start on a Friday, almost none on a weekend.
            FixtureField(
                "dateHired", type: .date,
                generator: .dates(from: year1995, to: nil, weekdays: [40, 20, 20, 15, 10, 1, 1], precision: .day)),
            .reference("boss", to: "Boss", without: .percent(5)),
        ], count: 1000)

    /// 200 items with unique UUIDs, costs, and prices above the costs.
    static let item = FixtureEntity(
        "Item",
        [
            FixtureField("itemId", type: .uuid, generator: .kind(.uuid), mustBeUnique: true),
            FixtureField("dateCreated", type: .date, generator: recorded),
            FixtureField("name", type: .text, generator: .kind(.itemName)),
            FixtureField(
                "unitCost", type: .decimal(scale: Item.priceScale),
                generator: .logNormal(median: 18, sigma: 1, .init((Decimal(1) / 2)...2_000)), least: 0),
            FixtureField(
                "unitPrice", type: .decimal(scale: Item.priceScale),
                generator: .markup(over: "unitCost", percent: 5...80), least: 0),
            FixtureField(
                "stockCount", type: .integer,
                generator: .logNormal(median: 25, sigma: Decimal(15) / 10, .init(0...2_000)),
                least: Decimal(Item.minimumStockCount)),
        ], count: 200)

    private static let recorded = FixtureGenerator.dates(from: year2010, to: nil, weekdays: nil, precision: .second)

    private static let year1995 = CivilDay.beginning(1995)
    private static let year2010 = CivilDay.beginning(2010)
}
