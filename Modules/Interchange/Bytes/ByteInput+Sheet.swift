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
