/// A many-to-many relationship for which join rows are generated, as a property of its source entity.
///
/// The join rows are distributed evenly: the counts of two sources, or of two targets, differ by at most one. No join
/// row occurs twice. A description sets the total number in ``EntityFixtures/links``.
///
/// The ranges are limits, not distributions. If no number of join rows satisfies both, and the relationship is
/// mandatory, creating ``Fixtures`` throws an error.
///
/// ## Topics
///
/// ### Creating a relationship
///
/// - ``init(_:table:to:perSource:perTarget:isOptional:isSymmetric:isSourceOrdered:isTargetOrdered:)``
///
/// ### Ends
///
/// - ``name``
/// - ``table``
/// - ``target``
/// - ``isSymmetric``
///
/// ### Numbers of join rows
///
/// - ``perSource``
/// - ``perTarget``
/// - ``isOptional``
///
/// ### Order
///
/// - ``isSourceOrdered``
/// - ``isTargetOrdered``
public struct FixtureLink: Sendable, Hashable {
    /// The name of the relationship.
    public var name: String
    /// The name of the join table.
    ///
    /// It affects the generated join rows. For a model, it is the name of the `JoinDescription`.
    public var table: String
    /// The entity on the other side.
    public var target: String
    /// The allowed numbers of targets of a source.
    ///
    /// If no number of join rows satisfies both ranges and the relationship is optional, no join rows are generated.
    public var perSource: ClosedRange<Int>
    /// The allowed numbers of sources of a target.
    public var perTarget: ClosedRange<Int>
    /// A Boolean value that indicates whether there can be no join rows at all, regardless of both ranges.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the relationship is its own inverse.
    ///
    /// Each join row is then generated once.
    ///
    /// Such a relationship joins rows of one entity: if a row is a friend of another one, the reverse is true too.
    public var isSymmetric: Bool
    /// A Boolean value that indicates whether the targets of a source have positions.
    ///
    /// Positions are integers from 1.
    public var isSourceOrdered: Bool
    /// A Boolean value that indicates whether the sources of a target have positions.
    public var isTargetOrdered: Bool

    /// Creates a many-to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - table: The name of the join table.
    ///   - target: The entity on the other side.
    ///   - perSource: The allowed numbers of targets of a source.
    ///   - perTarget: The allowed numbers of sources of a target.
    ///   - isOptional: A Boolean value that indicates whether there can be no join rows, regardless of the ranges.
    ///   - isSymmetric: A Boolean value that indicates whether the relationship is its own inverse.
    ///   - isSourceOrdered: A Boolean value that indicates whether the targets of a source have positions.
    ///   - isTargetOrdered: A Boolean value that indicates whether the sources of a target have positions.
    public init(
        _ name: String, table: String, to target: String, perSource: ClosedRange<Int> = 0...Int.max,
        perTarget: ClosedRange<Int> = 0...Int.max, isOptional: Bool = true, isSymmetric: Bool = false,
        isSourceOrdered: Bool = false, isTargetOrdered: Bool = false
    ) {
        self.name = name
        self.table = table
        self.target = target
        self.perSource = perSource
        self.perTarget = perTarget
        self.isOptional = isOptional
        self.isSymmetric = isSymmetric
        self.isSourceOrdered = isSourceOrdered
        self.isTargetOrdered = isTargetOrdered
    }
}
