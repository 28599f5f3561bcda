import Foundation

/// The extent of tests with random seeds or exhaustive cases: partial in `make test` and `make check`, full in `make
/// test-soak`.
///
/// The variable `STRATA_SEEDS` is `all` for all seeds, or the maximum count of seeds. The cases of a sweep
/// (``spread(_:of:)``) and the counts of items (``count(_:all:)``) change only with `all`.
public enum Seeds {
    private static let limit: Int? = {
        guard let wanted = ProcessInfo.processInfo.environment["STRATA_SEEDS"], wanted != "all" else { return nil }
        guard let limit = Int(wanted), limit > 0 else {
            preconditionFailure("STRATA_SEEDS is \"all\" or how many seeds are tried, not \"\(wanted)\"")
        }
        return limit
    }()

    /// A Boolean value that indicates whether tests run with all seeds and cases.
    public static let areAll = ProcessInfo.processInfo.environment["STRATA_SEEDS"] == "all"

    /// Returns the seeds, or other cases, that a test runs with.
    ///
    /// - Parameters:
    ///   - usual: The count of seeds in a usual run.
    ///   - all: All seeds.
    /// - Returns: The first seeds.
    public static func first<Seed>(_ usual: Int, of all: some Collection<Seed>) -> [Seed] {
        if areAll { return Array(all) }
        return Array(all.prefix(limit ?? usual))
    }

    /// Returns the cases of a sweep, which are similar and differ in a location, value or format.
    ///
    /// - Parameters:
    ///   - usual: The count of cases in a usual run, at least 1.
    ///   - all: All cases.
    /// - Returns: That count of cases, distributed evenly and including the first one.
    public static func spread<Case>(_ usual: Int, of all: some Collection<Case>) -> [Case] {
        let cases = Array(all)
        if areAll || cases.count <= usual { return cases }
        return (0..<usual).map { cases[$0 * cases.count / usual] }
    }

    /// Returns a seed for each batch of random changes to a file.
    ///
    /// `STRATA_MUTATIONS` is the count of changes that each test makes, such as a million.
    ///
    /// - Parameters:
    ///   - count: The count of changes in a batch, which is the count in a usual run.
    ///   - all: The count of changes in a run with all seeds.
    /// - Returns: The seeds.
    public static func batches(of count: Int, all: Int) -> [UInt64] {
        let wanted = ProcessInfo.processInfo.environment["STRATA_MUTATIONS"].flatMap { Int($0) }
        let total = wanted ?? (areAll ? all : count)
        return Array(1...UInt64(max(1, (total + count - 1) / count)))
    }

    /// Returns the count of random items that one test generates.
    public static func count(_ usual: Int, all: Int) -> Int { areAll ? all : usual }
}
