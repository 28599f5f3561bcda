import StrataCore

/// The reason why bytes are not a valid store, with its offset; a caller that knows the file converts it to an error.
struct FormatError: Error {
    var code: PersistenceError.Code = .corrupt
    let message: String
    /// The offset in the file in bytes, or `nil` if the error concerns the whole file.
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

/// A fault of a row or join row of a store, with its offset.
struct RowFault {
    let kind: StoreFault.Kind
    let message: String
    let entity: String
    var id: Int64?
    var attribute: String?
    let offset: Int
}
