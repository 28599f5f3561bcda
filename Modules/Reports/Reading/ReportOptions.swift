/// The title of a report, and the amount of data that it shows.
///
/// The numbers limit the length of the page. The counts and shares on the page always include all rows, also those that
/// are not shown.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init(title:parents:children:frequentTexts:colors:isCancelled:)``
///
/// ### Choosing the content
///
/// - ``title``
/// - ``parents``
/// - ``children``
/// - ``frequentTexts``
/// - ``colors``
///
/// ### Observing the reading
///
/// - ``isCancelled``
/// - ``progress``
public struct ReportOptions: Sendable {
    /// The title of the page (default: `Report`).
    ///
    /// It is the heading of the page and the title of the browser's window. It may contain any text.
    public var title: String
    /// The maximum number of parents of a tree that are shown, at least 1 (default: 20).
    ///
    /// A tree shows the rows that a to-one relationship references, beginning with the parent that has the most
    /// children.
    public var parents: Int
    /// The maximum number of children of each parent that are shown, at least 1 (default: 10).
    ///
    /// The children with the lowest identifiers are shown. The same number limits the shown rows without a parent.
    public var children: Int
    /// The maximum number of values of a text attribute that are shown, at least 1 (default: 10).
    ///
    /// The most frequent values are shown; of values with equal counts, those that are first in the order of bytes.
    public var frequentTexts: Int
    /// The maximum number of colors of a palette that are shown, at least 1 (default: 240).
    ///
    /// If there are more colors, a sample is shown, which is always the same for the same colors.
    public var colors: Int
    /// A closure that is called regularly during reading; if it returns true, reading ends with `CancellationError`.
    ///
    /// It is called before each pass and every 4,096 rows, on the thread that creates the report.
    public var isCancelled: @Sendable () -> Bool
    /// A closure that is called regularly with the number of rows read since the last call.
    ///
    /// The rows of each entity are read twice, and some rows are read once more. Join rows are not reported. The
    /// closure is called on the thread that creates the report, every 4,096 rows and at the end of each pass.
    public var progress: @Sendable (Int) -> Void = { _ in }
    /// The maximum number of parents that are counted exactly; if there are more, the shown parents are counted again.
    var exactParents = 1 << 16

    /// Creates options; every number less than 1 is replaced by 1.
    ///
    /// A number that is assigned later is not checked, so it must be at least 1.
    ///
    /// - Parameters:
    ///   - title: The title of the page.
    ///   - parents: The maximum number of parents of a tree that are shown.
    ///   - children: The maximum number of children of each parent that are shown.
    ///   - frequentTexts: The maximum number of values of a text attribute that are shown.
    ///   - colors: The maximum number of colors of a palette that are shown.
    ///   - isCancelled: A closure that is called regularly during reading; if it returns true, reading ends with
    ///     `CancellationError`.
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
