import Foundation

/// How much tests try that draw by a seed, or that go over every case of something: some of it in `make test` and `make check`, all of
/// it in `make test-soak`.
///
/// `STRATA_SEEDS=all` takes all, `STRATA_SEEDS=20` the first 20 seeds; what cases of a sweep are taken (``spread(_:of:)``) and how many
/// things one test makes (``count(_:all:)``) only changes with `all`.
public enum Seeds {
    private static let limit: Int? = {
        guard let wanted = ProcessInfo.processInfo.environment["STRATA_SEEDS"], wanted != "all" else { return nil }
        guard let limit = Int(wanted), limit > 0 else {
            preconditionFailure("STRATA_SEEDS is \"all\" or how many seeds are tried, not \"\(wanted)\"")
        }
        return limit
    }()

    /// Whether everything is tried.
    public static let areAll = ProcessInfo.processInfo.environment["STRATA_SEEDS"] == "all"

    /// The seeds, or other cases, that a test runs with.
    ///
    /// - Parameters:
    ///   - usual: How many of them a usual run takes.
    ///   - all: Everything there is.
    /// - Returns: The first ones.
    public static func first<Seed>(_ usual: Int, of all: some Collection<Seed>) -> [Seed] {
        if areAll { return Array(all) }
        return Array(all.prefix(limit ?? usual))
    }

    /// The cases that a sweep looks at, where each says the same of another place, value or format.
    ///
    /// - Parameters:
    ///   - usual: How many of them a usual run takes, at least 1.
    ///   - all: Everything there is.
    /// - Returns: That many, spread over all of them, the first one among them.
    public static func spread<Case>(_ usual: Int, of all: some Collection<Case>) -> [Case] {
        let cases = Array(all)
        if areAll || cases.count <= usual { return cases }
        return (0..<usual).map { cases[$0 * cases.count / usual] }
    }

    /// How many random things one test makes.
    public static func count(_ usual: Int, all: Int) -> Int { areAll ? all : usual }
}
