import StrataCore

/// Why bytes are no store, and where: who knows the file makes an error of it that names both.
struct FormatError: Error {
    var code: PersistenceError.Code = .corrupt
    let message: String
    /// The place in the file, in bytes from 0; `nil` where it is the file as a whole.
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

/// What is wrong with a row or a pair of a store, and where.
struct RowFault {
    let kind: StoreFault.Kind
    let message: String
    let entity: String
    var id: Int64?
    var attribute: String?
    let offset: Int
}
