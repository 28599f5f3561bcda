/// A dataset to be imported.
///
/// ```swift
/// var source = ImportSource(entity: "Color", input: try ByteInput.file(at: "colors.json"))
/// source.reading = ReadingOptions(format: .json)
/// source.reading?.root = "colors"
/// ```
///
/// A file from a ``DatasetDirectory`` with a manifest has an expected size, digest and count of records. Pass them on,
/// so that an import detects changed and incomplete files.
///
/// ## Topics
///
/// ### Creating a source
///
/// - ``init(entity:input:reading:)``
/// - ``entity``
/// - ``input``
/// - ``reading``
///
/// ### Expected content
///
/// - ``expectedRecords``
/// - ``expectedDigest``
public struct ImportSource {
    /// The name of the entity whose records the dataset contains.
    ///
    /// The name of a join table is allowed too; the dataset then contains join rows.
    public var entity: String
    /// The input that contains the bytes of the dataset.
    ///
    /// The import reads it from its current position to its end, mostly on another thread. The import replaces its
    /// ``ByteInput/isCancelled`` by a closure that also calls the former one. The input cannot be read after the
    /// import.
    public var input: ByteInput
    /// The options for reading the dataset; `nil` for those of the import's options.
    ///
    /// Set it if datasets of one import have different formats or columns.
    public var reading: ReadingOptions?
    /// The expected count of records according to a manifest; `nil` if unknown.
    ///
    /// If the dataset has a different count of records, the import fails with ``InterchangeError/Code/notAsListed``,
    /// because the file was truncated, edited or replaced.
    public var expectedRecords: Int?
    /// The expected size and digest according to a manifest; `nil` if unknown, or if the file was edited on purpose.
    ///
    /// If the file has a different size or digest, the import fails at the end of the file with
    /// ``InterchangeError/Code/notAsListed``. The digest is computed while the file is read.
    public var expectedDigest: FileDigest?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - entity: The name of an entity or join table of the model.
    ///   - input: The input with the bytes of the dataset.
    ///   - reading: The options for reading the dataset; `nil` for those of the import.
    public init(entity: String, input: ByteInput, reading: ReadingOptions? = nil) {
        self.entity = entity
        self.input = input
        self.reading = reading
    }
}
