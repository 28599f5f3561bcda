import Domain

/// Makes the rows of a dataset from a seed: the same seed gives the same rows on every machine and in every version.
///
/// ```swift
/// let dataset = DatasetGenerator(seed: 42)
/// let bosses = try (0..<20).map { try dataset.boss(at: $0) }
/// let employees = try (0..<1_000).map { try dataset.employee(at: $0, bosses: bosses.count) }
/// ```
///
/// Rows are addressed: row 999 is the same whether a thousand or a million are made, in whatever order and on
/// however many threads. A row depends on the seed, its entity, its index and ``datasetVersion``; an employee's boss
/// depends on the number of bosses besides. Nothing else has a say, neither clock nor locale nor word size.
public struct DatasetGenerator: Sendable {
    /// The version of the rows: a change to what any seed gives is a new version.
    public static let datasetVersion = 1

    /// The number from which every row follows.
    public let seed: UInt64

    /// Makes the generator of the dataset with this seed.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// Makes the source of one row's fields.
    ///
    /// - Throws: `DomainError` with the code `outOfRange` where no identifier is index + 1.
    func row(_ entity: Entity, at index: Int) throws -> RowSource {
        let last = Identifier<Never>.validRange.upperBound - 1
        guard let position = UInt64(exactly: index), position <= last else {
            throw DomainError(
                code: .outOfRange,
                type: "DatasetGenerator",
                property: "index",
                message: "\(index) is not from 0 to \(last)"
            )
        }
        let version = UInt64(Self.datasetVersion)
        return RowSource(seed: seed, version: version, entity: entity.rawValue, index: position)
    }

    /// The kinds of rows; the numbers are part of the dataset and never reused.
    enum Entity: UInt64 {
        case color = 1
        case boss = 2
        case employee = 3
        case item = 4
    }
}
