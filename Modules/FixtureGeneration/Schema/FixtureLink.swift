/// A many-to-many relationship for which pairs are made, as the entity on its source's side has it.
public struct FixtureLink: Sendable, Hashable {
    /// The relationship's name.
    public var name: String
    /// The name of the table of pairs.
    public var table: String
    /// The entity on the other side.
    public var target: String
    /// How many targets a source leads to; no source leads to any where that is allowed and the only way.
    public var perSource: ClosedRange<Int>
    /// How many sources a target leads back to.
    public var perTarget: ClosedRange<Int>
    /// Whether a source may lead to none, whatever ``perSource`` says, and a target back to none.
    public var isOptional: Bool
    /// Whether it is its own inverse: a pair is then made once.
    public var isSymmetric: Bool
    /// Whether a source's targets have positions.
    public var isSourceOrdered: Bool
    /// Whether a target's sources have positions.
    public var isTargetOrdered: Bool

    /// A many-to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - table: The name of the table of pairs.
    ///   - target: The entity on the other side.
    ///   - perSource: How many targets a source leads to.
    ///   - perTarget: How many sources a target leads back to.
    ///   - isOptional: Whether there may be no pairs at all, whatever the numbers say.
    ///   - isSymmetric: Whether it is its own inverse.
    ///   - isSourceOrdered: Whether a source's targets have positions.
    ///   - isTargetOrdered: Whether a target's sources have positions.
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
