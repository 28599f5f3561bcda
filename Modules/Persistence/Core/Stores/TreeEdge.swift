/// A reference from a row to its parent in a tree or a graph.
public struct TreeEdge: Sendable, Hashable {
    /// The identifier of the row.
    public let child: Int64
    /// The identifier of the row that it references.
    public let parent: Int64

    /// Creates an edge.
    public init(child: Int64, parent: Int64) {
        self.child = child
        self.parent = parent
    }
}
