import Foundation
import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks that every type returns the stored values unchanged.
    ///
    /// Each value is inserted, read, replaced by another value of its type with an update, and read again. A store must
    /// keep:
    ///
    /// - strings as their UTF-8 bytes, without Unicode normalization; the empty string is not null
    /// - integers of 16, 32 and 64 bits up to both limits; a conversion to `Double` rounds those above 2^53
    /// - doubles and dates to the last bit; a date is a `Double` in seconds since 2001
    /// - decimals with their scale, for every unscaled 64-bit integer
    /// - UUIDs and binary values byte for byte; an empty binary value is not null
    /// - days from year 0 to year 9999, and times of day with nine fraction digits
    /// - null for every optional type
    static var values: [Check] {
        [
            roundTrip("a stored string is read back byte for byte", "text", texts: ContractValues.texts),
            roundTrip("a 16-bit whole number is read back unchanged", "short", integers: [0, 1, -1, 32_767, -32_768]),
            roundTrip(
                "a 32-bit whole number is read back unchanged", "medium", integers: [0, 2_147_483_647, -2_147_483_648]),
            roundTrip("a 64-bit whole number is read back unchanged", "long", integers: ContractValues.integers),
            roundTrip(
                "a double is read back unchanged to the last bit", property: "ratio",
                values: ContractValues.doubles.map(StoredValue.double)),
            roundTrip(
                "a decimal is read back exactly, with its scale", property: "price",
                values: ContractValues.decimals(scale: 2)),
            roundTrip(
                "a Boolean value is read back unchanged", property: "flag", values: [.boolean(false), .boolean(true)]),
            roundTrip(
                "a date is read back unchanged to the last bit", property: "instant",
                values: ContractValues.dates.map(StoredValue.date)),
            roundTrip(
                "a UUID is read back unchanged", property: "token", values: ContractValues.uuids.map(StoredValue.uuid)),
            roundTrip(
                "binary values are read back unchanged, including empty ones", property: "bytes",
                values: ContractValues.binaries.map(StoredValue.binary)),
            roundTrip(
                "a day is read back unchanged", property: "birthday", values: ContractValues.days.map(StoredValue.day)),
            roundTrip(
                "a time of day is read back unchanged to the nanosecond", property: "opening",
                values: ContractValues.timesOfDay.map(StoredValue.timeOfDay)),
            Check("null is read back as null for every type") { probe in
                try probe.insert("Sample", [(1, [:])])
                let row = try probe.row("Sample", 1)
                let columns = try probe.store.model.entity(named: "Sample").columns
                for (column, value) in zip(columns, row?.values ?? []) where column.isOptional {
                    probe.expect(value.isNull, "\(column.name) is \(value)")
                }
                probe.expect(row != nil, "the row is not there")
            },
        ]
    }

    private static func roundTrip(_ rule: String, _ property: String, texts: [String]) -> Check {
        roundTrip(rule, property: property, values: texts.map(StoredValue.string))
    }

    private static func roundTrip(_ rule: String, _ property: String, integers: [Int64]) -> Check {
        roundTrip(rule, property: property, values: integers.map(StoredValue.integer))
    }

    /// Returns a check that the values are read back as they were inserted and updated.
    ///
    /// Row n + 1 gets value n. The update then assigns the values in reverse order, so that a store that ignores
    /// updates fails.
    private static func roundTrip(_ rule: String, property: String, values: [StoredValue]) -> Check {
        Check(rule) { probe in
            try probe.insert("Sample", values.enumerated().map { (Int64($0 + 1), [property: $1]) })
            for (index, value) in values.enumerated() {
                let found = try probe.value("Sample", id: Int64(index + 1), property)
                probe.expect(
                    found.map { isIdentical($0, value) } ?? false, "\(value) came back as \(found ?? .null)")
            }
            var changes = ChangeSet()
            changes["Sample"].updates = try values.indices.map { index in
                try probe.update("Sample", id: Int64(index + 1), [property: values[values.count - 1 - index]])
            }
            try probe.save(changes)
            for (index, value) in values.reversed().enumerated() {
                let found = try probe.value("Sample", id: Int64(index + 1), property)
                probe.expect(
                    found.map { isIdentical($0, value) } ?? false, "\(value), updated, came back as \(found ?? .null)")
            }
        }
    }

    /// Returns a Boolean value that indicates whether two values have the same kind and are equal.
    ///
    /// Decimals must also have the same scale, which equality does not require.
    private static func isIdentical(_ left: StoredValue, _ right: StoredValue) -> Bool {
        if case .decimal(let first) = left, case .decimal(let second) = right, first.scale != second.scale {
            return false
        }
        return left.kindName == right.kindName && left == right
    }
}
