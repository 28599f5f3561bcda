import Foundation
package import StrataCore

/// The statements that copy rows from an old table into a new one.
extension SQLMigration {
    /// The target of the rows: the table and its columns, as SQL text.
    package struct Insertion {
        package let table: String
        package let columns: String
    }

    /// A statement that writes new rows derived from old rows, all at once or in parts.
    package struct Filling {
        fileprivate let insertion: Insertion
        fileprivate let selection: String
        fileprivate let condition: String?
        fileprivate let ending: String
        /// An integer column of the old rows, which divides them into parts.
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

        /// The statement that writes all rows.
        package var sql: String { sql(where: condition) }

        /// The statement that writes the rows of one part.
        ///
        /// It selects keys above one number and up to another; these two parameters follow `values`.
        package var sqlOfPart: String {
            let (low, high) = (dialect.parameter(values.count + 1), dialect.parameter(values.count + 2))
            return sql(where: "\(condition.map { "\($0) AND " } ?? "")\(key) > \(low) AND \(key) <= \(high)")
        }

        /// The query for the greatest key of a part, which is null if there are no rows.
        ///
        /// Its parameters are the lower bound of the keys, which is exclusive, and the maximum count of rows.
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

    /// Rows that are read, converted by Swift code, and written.
    package struct Converting {
        /// The conversion of a column's values.
        package struct Column {
            /// The type of the value that is read.
            package let type: AttributeType
            let conversion: ValueConversion?
            private let filler: DefaultValue?

            init(_ type: AttributeType, _ conversion: ValueConversion? = nil, ifNull filler: DefaultValue? = nil) {
                (self.type, self.conversion, self.filler) = (type, conversion, filler)
            }

            /// Returns the new value, or `nil` if the value cannot be converted.
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
        /// The query for the rows; its columns are the identifier, the version, and a value for each column.
        package let selection: String
        package let values: [StoredValue]
        package let columns: [Column]
        fileprivate let now: StoredValue

        init(insertion: Insertion, selection: String, values: [StoredValue], columns: [Column], now: StoredValue) {
            (self.insertion, self.selection, self.values) = (insertion, selection, values)
            (self.columns, self.now) = (columns, now)
        }

        /// Returns the new value of a column, or `nil` if the value cannot be converted.
        package func value(of value: StoredValue, column: Int) -> StoredValue? {
            columns[column].value(of: value, now: now)
        }
    }
}
