import StrataCore

/// An error that states why the bytes of a file are not a valid store; callers that know the file's path convert it to
/// ``PersistenceError``.
struct FormatError: Error {
    var code: PersistenceError.Code = .corrupt
    let message: String
    /// The offset of the error in the file, in bytes; `nil` if the error concerns the whole file.
    var offset: Int?
    var entity: String?
    var id: Int64?
    var attribute: String?

    init(_ message: String, at offset: Int?, code: PersistenceError.Code = .corrupt) {
        (self.message, self.offset, self.code) = (message, offset, code)
    }

    init(_ fault: RowFault) {
        message = fault.message
        offset = fault.offset
        (entity, id, attribute) = (fault.entity, fault.id, fault.attribute)
    }
}

/// A fault of a row or a join row, with its offset in the file.
struct RowFault {
    let kind: StoreFault.Kind
    let message: String
    let entity: String
    var id: Int64?
    var attribute: String?
    let offset: Int
}
