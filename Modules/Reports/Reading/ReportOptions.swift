/// The title of a report, and the amount of data that it shows.
public struct ReportOptions: Sendable {
    /// The title of the page.
    public var title: String
    /// The maximum number of parents of a tree that are shown, at least 1.
    public var parents: Int
    /// The maximum number of children of each parent that are shown, at least 1.
    public var children: Int
    /// The maximum number of values of a text attribute that are shown, at least 1.
    public var frequentTexts: Int
    /// The maximum number of colors of a palette that are shown, at least 1.
    public var colors: Int
    /// A closure that is called regularly during reading; if it returns true, reading ends with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool
    /// A closure that is called regularly with the number of rows read since the last call.
    ///
    /// The rows of each entity are read twice, and some rows are read once more.
    public var progress: @Sendable (Int) -> Void = { _ in }
    /// The maximum number of parents that are counted exactly; if there are more, the shown parents are counted again.
    var exactParents = 1 << 16

    /// Creates options; every number less than 1 is replaced by 1.
    public init(
        title: String = "Report", parents: Int = 20, children: Int = 10, frequentTexts: Int = 10, colors: Int = 240,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.title = title
        self.parents = max(1, parents)
        self.children = max(1, children)
        self.frequentTexts = max(1, frequentTexts)
        self.colors = max(1, colors)
        self.isCancelled = isCancelled
    }
}
