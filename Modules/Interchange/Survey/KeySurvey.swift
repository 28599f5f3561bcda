public import StrataCore

/// Reads the key of whole datasets to find out whether it is the identifier of rows, and whether they are in its order.
///
/// Constant memory.
public struct KeySurvey {
    /// A Boolean value that indicates whether each number that was read is from 1 to 2^53 - 1.
    public private(set) var areIdentifiers = true
    /// A Boolean value that indicates whether each number that was read is greater than the one before.
    public private(set) var areRising = true

    private let texts: ColumnTexts
    private var last = Int64.min

    /// Prepares for the column of identifiers of an entity's datasets; there is one.
    public init(of entity: EntityDescription) {
        texts = ColumnTexts(entity.external.name ?? entity.name, [("key", entity.external.idColumn ?? "id")])
    }

    /// Reads a dataset to its end; several are read in the order of their import.
    ///
    /// A cell that is no whole number is passed over: the import refuses it.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - reading: How it is read; its other columns are passed over.
    ///   - isCancelled: Asked every thousand records; true ends the reading with `CancellationError`.
    /// - Throws: ``InterchangeError`` when the file cannot be read, `CancellationError`.
    public mutating func read(
        _ input: ByteInput, _ reading: ReadingOptions, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        var reading = reading
        // The model calls the column `id`.
        for (name, attribute) in reading.mapping where NameMatching.folded(attribute) == "id" {
            reading.mapping[name] = "key"
        }
        try texts.read(input, reading, isCancelled: isCancelled) { _, text in
            guard let number = Int64(text) else { return }
            if !identifierRange.contains(number) { areIdentifiers = false }
            if number <= last { areRising = false }
            last = number
        }
    }
}
