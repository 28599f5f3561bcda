public import Foundation

extension Query {
    /// One key to order records by: a property and a direction.
    ///
    /// Strings are ordered by their UTF-8 bytes, dates by instant; an absent value comes before every present one.
    public struct Sort: Sendable {
        /// The property.
        public let path: any PartialKeyPath<Record> & Sendable

        /// The direction: `.forward` or `.reverse`.
        public let order: SortOrder

        /// How two records compare by the property, forward.
        let compare: @Sendable (Record, Record) -> ComparisonResult

        /// Smallest first.
        public static func ascending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value> & Sendable)
            -> Self
        {
            Self(path: path, order: .forward) { comparison($0[keyPath: path], $1[keyPath: path]) }
        }

        /// Smallest first, absent values before all others.
        public static func ascending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value?> & Sendable)
            -> Self
        {
            Self(path: path, order: .forward) { optionalComparison($0[keyPath: path], $1[keyPath: path]) }
        }

        /// Greatest first.
        public static func descending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value> & Sendable)
            -> Self
        {
            Self(path: path, order: .reverse) { comparison($0[keyPath: path], $1[keyPath: path]) }
        }

        /// Greatest first, absent values after all others.
        public static func descending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value?> & Sendable)
            -> Self
        {
            Self(path: path, order: .reverse) { optionalComparison($0[keyPath: path], $1[keyPath: path]) }
        }
    }
}

private func optionalComparison<Value: Comparable>(_ left: Value?, _ right: Value?) -> ComparisonResult {
    switch (left, right) {
    case (nil, nil): .orderedSame
    case (nil, _?): .orderedAscending
    case (_?, nil): .orderedDescending
    case (let left?, let right?): comparison(left, right)
    }
}

private func comparison<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    if let left = left as? String, let right = right as? String {
        // Swift orders strings by canonical equivalence; stores order them by bytes, and so do we.
        if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
    }
    if left < right { return .orderedAscending }
    return right < left ? .orderedDescending : .orderedSame
}
