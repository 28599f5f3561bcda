import Foundation
package import StrataCore

/// The statements that copy rows from an old table into a new one.
extension SQLMigration {
    /// The table and the columns into which rows are inserted, as SQL text.
    package struct Insertion {
        package let table: String
        package let columns: String
    }

    /// A statement that derives the rows of a new table from old rows; it can write all rows at once or in parts.
    package struct Filling {
        fileprivate let insertion: Insertion
        fileprivate let selection: String
        fileprivate let condition: String?
        fileprivate let ending: String
        /// The integer column of the old table by whose values the rows are divided into parts.
        fileprivate let key: String
        /// The current name of the table with the old rows, as SQL text.
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

        /// The statement that writes all new rows at once.
        package var sql: String { sql(where: condition) }

        /// The statement that writes the new rows of one part.
        ///
        /// It reads the old rows whose key is greater than one number and at most another number; these two parameters
        /// follow ``values``.
        package var sqlOfPart: String {
            let (low, high) = (dialect.parameter(values.count + 1), dialect.parameter(values.count + 2))
            return sql(where: "\(condition.map { "\($0) AND " } ?? "")\(key) > \(low) AND \(key) <= \(high)")
        }

        /// The query for the greatest key of the next part; the result is null if no old rows are left.
        ///
        /// Its parameters are the greatest key of the previous part and the maximum count of rows in a part.
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

    /// A copy of rows from an old table to a new one, during which Swift code converts the values.
    package struct Converting {
        /// The conversion of the values of one column.
        package struct Column {
            /// The type of the old values.
            package let type: AttributeType
            let conversion: ValueConversion?
            private let filler: DefaultValue?

            init(_ type: AttributeType, _ conversion: ValueConversion? = nil, ifNull filler: DefaultValue? = nil) {
                (self.type, self.conversion, self.filler) = (type, conversion, filler)
            }

            /// Returns the new value for an old value, or `nil` if the old value cannot be converted.
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
        /// The query for the old rows; its result columns are the identifier, the version, and a value for each new
        /// column.
        package let selection: String
        package let values: [StoredValue]
        package let columns: [Column]
        fileprivate let now: StoredValue

        init(insertion: Insertion, selection: String, values: [StoredValue], columns: [Column], now: StoredValue) {
            (self.insertion, self.selection, self.values) = (insertion, selection, values)
            (self.columns, self.now) = (columns, now)
        }

        /// Returns the new value of a column for an old value, or `nil` if the old value cannot be converted.
        package func value(of value: StoredValue, column: Int) -> StoredValue? {
            columns[column].value(of: value, now: now)
        }
    }
}
