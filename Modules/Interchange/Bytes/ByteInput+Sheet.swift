import StrataContainers

extension InterchangeError {
    /// Returns the error with the address of its cell if its line is in a sheet.
    package func located(in input: ByteInput) -> InterchangeError {
        guard let sheet = input.sheet, address == nil, let line, source == nil || source == input.name else {
            return self
        }
        var error = self
        error.address = sheet.address(row: line, column: column)
        return error
    }
}

extension ByteInput {
    /// Throws an error if the bytes are those of a ZIP archive or workbook, as of one that is piped.
    func checkIsNoArchive() throws(InterchangeError) {
        guard try peek(ZipArchive.signature.count) == ZipArchive.signature else { return }
        throw InterchangeError(
            .malformed, source: name, message: "the input is a workbook or a ZIP archive; name the file itself")
    }
}
