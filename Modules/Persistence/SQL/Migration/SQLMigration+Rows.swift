import Foundation
package import StrataCore

/// How rows come from an earlier table into a later one.
extension SQLMigration {
    /// Where rows go: the table and its columns, as a statement has them.
    package struct Insertion {
        package let table: String
        package let columns: String
    }

    /// A statement that writes rows which it makes of earlier ones: all at once, or a part of them at a time.
    package struct Filling {
        fileprivate let insertion: Insertion
        fileprivate let selection: String
        fileprivate let condition: String?
        fileprivate let ending: String
        /// A whole number of the earlier rows, by which they are in parts.
        fileprivate let key: String
        /// The earlier table.
        fileprivate let source: String
        package let values: [StoredValue]
        private let dialect: any SQLDialect

        init(
            insertion: Insertion, selection: String, condition: String?, ending: String, key: String, source: String,
            values: [StoredValue], dialect: any SQLDialect
        ) {
            (self.insertion, self.selection, self.condition, self.ending) = (insertion, selection, condition, ending)
            (self.key, self.source, self.values, self.dialect) = (key, source, values, dialect)
        }

        /// Writes all rows.
        package var sql: String { sql(where: condition) }

        /// Writes those whose key is above one number and not above another, which come behind the values.
        package var sqlOfPart: String {
            let (low, high) = (dialect.parameter(values.count + 1), dialect.parameter(values.count + 2))
            return sql(where: "\(condition.map { "\($0) AND " } ?? "")\(key) > \(low) AND \(key) <= \(high)")
        }

        /// Gives the greatest key of so many rows above one; null where there are none.
        package var endOfPart: String {
            """
            SELECT max(part.number) FROM (SELECT \(key) AS number FROM \(source) t WHERE \(key) > \(dialect.parameter(1)) \
            ORDER BY 1 LIMIT \(dialect.parameter(2))) part
            """
        }

        private func sql(where condition: String?) -> String {
            "INSERT INTO \(insertion.table) (\(insertion.columns)) \(selection)"
                + (condition.map { " WHERE \($0)" } ?? "") + ending
        }
    }

    /// Rows that are read, and written once their values are converted.
    package struct Converting {
        /// What becomes of a value.
        package struct Column {
            /// The type of the value that is read.
            package let type: AttributeType
            let conversion: ValueConversion?
            private let filler: DefaultValue?

            init(_ type: AttributeType, _ conversion: ValueConversion? = nil, ifNull filler: DefaultValue? = nil) {
                (self.type, self.conversion, self.filler) = (type, conversion, filler)
            }

            /// The later value; `nil` where the value cannot be converted.
            fileprivate func value(of value: StoredValue, now: StoredValue) -> StoredValue? {
                guard let conversion else { return value }
                guard let converted = conversion.convert(value) else { return nil }
                guard converted.isNull else { return converted }
                return switch filler {
                case .constant(let value): value.converted(to: conversion.target) ?? value
                case .now: now
                case .newUUID: .uuid(UUID())
                case nil: .null
                }
            }
        }

        package let insertion: Insertion
        /// Gives the rows: identifier, version, and a value for each column.
        package let selection: String
        package let values: [StoredValue]
        package let columns: [Column]
        fileprivate let now: StoredValue

        init(insertion: Insertion, selection: String, values: [StoredValue], columns: [Column], now: StoredValue) {
            (self.insertion, self.selection, self.values) = (insertion, selection, values)
            (self.columns, self.now) = (columns, now)
        }

        /// The later value of a column; `nil` where there is none.
        package func value(of value: StoredValue, column: Int) -> StoredValue? {
            columns[column].value(of: value, now: now)
        }
    }
}
