/// What a report says of itself, and how much it shows.
public struct ReportOptions: Sendable {
    /// The page's title.
    public var title: String
    /// The most parents of a tree that are shown, at least 1.
    public var parents: Int
    /// The most children of each parent that are shown, at least 1.
    public var children: Int
    /// The most values of a text attribute that are shown, at least 1.
    public var frequentTexts: Int
    /// The most colours of a palette that are shown, at least 1.
    public var colors: Int
    /// Asked now and then while the store is read; when it says true the reading ends with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool
    /// Told now and then how many more rows were read: each entity's are read twice, and some once more.
    public var progress: @Sendable (Int) -> Void = { _ in }
    /// So many parents are counted exactly; with more, those shown are counted once more.
    var exactParents = 1 << 16

    /// Options; every number less than 1 is taken for 1.
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
