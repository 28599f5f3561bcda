public import Foundation

extension Query {
    /// A sort key: a property and a direction.
    ///
    /// Strings are ordered by their UTF-8 bytes, and dates by instant. An absent value precedes every present value.
    public struct Sort: Sendable {
        /// The key path of the property by which records are sorted.
        public let path: any PartialKeyPath<Record> & Sendable

        /// The direction of the sort: `.forward` or `.reverse`.
        public let order: SortOrder

        /// A closure that compares two records by the property at `path`, in the forward direction.
        let compare: @Sendable (Record, Record) -> ComparisonResult

        /// Returns a sort key that orders records by a property, the smallest value first.
        public static func ascending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value> & Sendable)
            -> Self
        {
            Self(path: path, order: .forward) { comparison($0[keyPath: path], $1[keyPath: path]) }
        }

        /// Returns a sort key that orders records by an optional property: absent values first, then the smallest
        /// value.
        public static func ascending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value?> & Sendable)
            -> Self
        {
            Self(path: path, order: .forward) { optionalComparison($0[keyPath: path], $1[keyPath: path]) }
        }

        /// Returns a sort key that orders records by a property, the greatest value first.
        public static func descending<Value: Comparable & Sendable>(_ path: any KeyPath<Record, Value> & Sendable)
            -> Self
        {
            Self(path: path, order: .reverse) { comparison($0[keyPath: path], $1[keyPath: path]) }
        }

        /// Returns a sort key that orders records by an optional property: the greatest value first, absent values
        /// last.
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
        // Swift orders strings by canonical equivalence. Stores order them by bytes, and so does this function.
        if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
    }
    if left < right { return .orderedAscending }
    return right < left ? .orderedDescending : .orderedSame
}
