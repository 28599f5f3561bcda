public import Foundation

/// A number whose sum and average a selection can return.
///
/// The sum of whole numbers of any width is an `Int`, because it seldom fits in a small width.
public protocol SummableValue: AttributeValue {
    /// The type of a sum of such numbers.
    associatedtype Sum: AttributeValue
    /// The type of an average of such numbers.
    associatedtype Average: AttributeValue
}

extension Int: SummableValue {
    /// The type of a sum.
    public typealias Sum = Int
    /// The type of an average.
    public typealias Average = Double
}

extension Int64: SummableValue {
    /// The type of a sum.
    public typealias Sum = Int
    /// The type of an average.
    public typealias Average = Double
}

extension Int32: SummableValue {
    /// The type of a sum.
    public typealias Sum = Int
    /// The type of an average.
    public typealias Average = Double
}

extension Int16: SummableValue {
    /// The type of a sum.
    public typealias Sum = Int
    /// The type of an average.
    public typealias Average = Double
}

extension Double: SummableValue {
    /// The type of a sum.
    public typealias Sum = Double
    /// The type of an average.
    public typealias Average = Double
}

extension Decimal: SummableValue {
    /// The type of a sum.
    public typealias Sum = Decimal
    /// The type of an average.
    public typealias Average = Decimal
}
