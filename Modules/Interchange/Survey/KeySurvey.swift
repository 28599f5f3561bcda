public import StrataCore

/// A reader of the keys of whole datasets that checks whether they can be row identifiers and whether they are
/// ascending.
///
/// The required memory is constant.
///
/// Use a survey to decide whether a column of a file can be the identifier of an entity, so that exports have the order
/// of the file.
///
/// ## Topics
///
/// ### Creating a survey
///
/// - ``init(of:)``
///
/// ### Reading datasets
///
/// - ``read(_:_:isCancelled:)``
///
/// ### The results
///
/// - ``areIdentifiers``
/// - ``areRising``
public struct KeySurvey {
    /// A Boolean value that indicates whether every key that was read is an integer from 1 to 2^53 - 1.
    public private(set) var areIdentifiers = true
    /// A Boolean value that indicates whether every key that was read is greater than the key before it.
    ///
    /// If it is `true`, an export by identifier preserves the order of the records. A repeated key makes it `false`.
    public private(set) var areRising = true

    private let texts: ColumnTexts
    private var last = Int64.min

    /// Creates a survey of the identifier column of an entity's datasets; the entity must have one.
    ///
    /// - Parameter entity: The entity of the datasets, whose identifier column is read.
    public init(of entity: EntityDescription) {
        texts = ColumnTexts(entity.external.name ?? entity.name, [("key", entity.external.idColumn ?? "id")])
    }

    /// Reads the keys of a dataset to its end.
    ///
    /// If there are several datasets, read them in the order of their import.
    ///
    /// A cell that is not an integer is ignored: the import rejects it.
    ///
    /// The call blocks until the whole dataset was read.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - reading: The options for reading the dataset; its other columns are ignored.
    ///   - isCancelled: A closure that is called every thousand records; if it returns `true`, this method throws
    ///     `CancellationError`.
    /// - Throws: ``InterchangeError`` if the file cannot be read, `CancellationError`.
    /// - Complexity: O(*n*) in the bytes of the dataset.
    public mutating func read(
        _ input: ByteInput, _ reading: ReadingOptions, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        var reading = reading
        // The model names the column `id`, which is `key` in the survey.
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
