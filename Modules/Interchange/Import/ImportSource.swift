/// A dataset to be imported.
public struct ImportSource {
    /// The name of the entity whose records the dataset contains.
    public var entity: String
    /// The input that contains the bytes of the dataset.
    public var input: ByteInput
    /// The options for reading the dataset; `nil` for those of the import's options.
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
    public init(entity: String, input: ByteInput, reading: ReadingOptions? = nil) {
        self.entity = entity
        self.input = input
        self.reading = reading
    }
}
