/// A dataset to be imported.
public struct ImportSource {
    /// The entity whose records it holds.
    public var entity: String
    /// Where its bytes come from.
    public var input: ByteInput
    /// How it is read; `nil` is as the import's options say.
    public var reading: ReadingOptions?
    /// How many records it must have, as a manifest says; `nil` where nobody knows.
    ///
    /// Another number is an error, ``InterchangeError/Code/changed``: the file was cut off, edited or replaced.
    public var expectedRecords: Int?
    /// The size and the digest that it must have, as a manifest says; `nil` where nobody knows, or where it was edited on purpose.
    ///
    /// Others are an error at the end of the file, ``InterchangeError/Code/changed``. The digest is made while the file is read.
    public var expectedDigest: FileDigest?

    /// A dataset.
    public init(entity: String, input: ByteInput, reading: ReadingOptions? = nil) {
        self.entity = entity
        self.input = input
        self.reading = reading
    }
}
