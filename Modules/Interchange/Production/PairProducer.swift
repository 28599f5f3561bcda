public import StrataCore

/// A source that generates the join rows of a many-to-many relationship on request, by their numbers.
///
/// A producer returns the same join row for the same number each time, so exports have the same bytes.
public protocol PairProducer: Sendable {
    /// The many-to-many relationship whose join rows are generated.
    var join: JoinDescription { get }

    /// The count of join rows, no two of which are equal.
    ///
    /// A symmetric relationship has one join row for two objects, not two.
    var count: Int { get }

    /// Returns the join row with a number.
    ///
    /// - Parameter number: The number of the join row, from 0 to ``count`` - 1.
    /// - Returns: The join row with the source, the target and the positions of ``join``.
    func row(_ number: Int) -> JoinRow
}
