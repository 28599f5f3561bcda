import Foundation
import StrataCore

/// A conversion of rows to records, column by column; if the store exposes its memory, without intermediate values.
struct RowEncoder<Encoding: RecordEncoding> {
    let encoding: Encoding
    private let entity: EntityDescription
    private let columns: FixedArray<Source>
    /// For each column, a Boolean value that indicates whether null is a valid value.
    ///
    /// Null in any other column indicates a damaged store, which an error then reports.
    private let allowsNull: FixedArray<Bool>
    private let names: [String]

    /// The location of a column's value, in a form whose copies are cheap.
    private enum Source {
        case id
        case column(Int, AttributeType)
        /// A value that is not in the row itself and that the caller passes separately.
        case gathered
    }

    /// Creates an encoder for the columns of an entity.
    init(_ entity: EntityDescription, columns: [ResolvedColumn], encoding: Encoding) {
        self.entity = entity
        self.columns = FixedArray(
            columns.map { column in
                switch column.value {
                case .id: .id
                case .column(let index, let type): .column(index, type)
                case .list: .gathered
                }
            })
        allowsNull = FixedArray(
            columns.enumerated().map { place, column in
                if encoding.refusesNull(place) { return false }
                return if case .column(let index, _) = column.value, column.steps.isEmpty {
                    entity.columns[index].isOptional
                } else {
                    true
                }
            })
        names = columns.map(\.source)
        self.encoding = encoding
    }

    /// Writes a row all of whose exported values are in the row itself.
    ///
    /// This way serves stores that return values instead of borrowed memory.
    ///
    /// - Throws: ``InterchangeError`` if a value cannot be written as text, `PersistenceError` if a stored value has a
    ///   wrong type.
    func write(_ row: RowReader, to buffer: inout ByteBuffer) throws {
        encoding.begin(&buffer)
        for (place, column) in columns.elements.enumerated() {
            switch column {
            case .id:
                try text(of: place, id: row.rawID) { () throws(InvalidText) in
                    try encoding.integer(row.rawID, column: place, into: &buffer)
                }
            case .column(let index, _): try write(try row.value(at: index), place: place, id: row.rawID, into: &buffer)
            case .gathered: encoding.null(place, &buffer)
            }
        }
        encoding.end(&buffer)
    }

    /// Writes a row from memory that is borrowed from the store.
    ///
    /// The parameter `raw` is not optional, because unwrapping it for each value would update its reference count.
    func write(_ row: RowReader, from raw: any RawRowSource, to buffer: inout ByteBuffer) throws {
        encoding.begin(&buffer)
        let id = row.rawID
        for (place, column) in columns.elements.enumerated() {
            switch column {
            case .id:
                try text(of: place, id: id) { () throws(InvalidText) in
                    try encoding.integer(id, column: place, into: &buffer)
                }
            case .column(let index, let type):
                if try write(raw.raw(at: index), as: type, place: place, id: id, into: &buffer) { continue }
                try write(try row.value(at: index), place: place, id: id, into: &buffer)
            case .gathered: encoding.null(place, &buffer)
            }
        }
        encoding.end(&buffer)
    }

    /// Writes a row whose values the caller passes, in the order of the columns.
    ///
    /// The caller looked up the values of related rows, for many rows at once.
    func write(_ values: [StoredValue], id: Int64, to buffer: inout ByteBuffer) throws {
        encoding.begin(&buffer)
        for place in values.indices { try write(values[place], place: place, id: id, into: &buffer) }
        encoding.end(&buffer)
    }

    private func write(_ value: StoredValue, place: Int, id: Int64, into buffer: inout ByteBuffer) throws {
        do throws(InvalidText) {
            if case .gathered = columns.elements[place], case .string(let list) = value {
                return try encoding.list(list, column: place, into: &buffer)
            }
            try encoding.append(value, column: place, into: &buffer)
        } catch {
            throw textless(error, place: place, id: id)
        }
    }

    /// Writes a value in its stored form; returns `false`, without writing it, if it does not match the type of its
    /// column.
    @inline(__always)
    private func write(
        _ value: RawValue, as type: AttributeType, place: Int, id: Int64, into buffer: inout ByteBuffer
    ) throws -> Bool {
        switch (value, type) {
        case (.null, _):
            guard allowsNull.elements[place] else { return false }
            encoding.null(place, &buffer)
        case (.text(let bytes), .string): return encoding.text(bytes, column: place, into: &buffer)
        case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64):
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.integer(number, column: place, into: &buffer)
            }
        case (.real(let seconds), .date):
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.date(Date(timeIntervalSinceReferenceDate: seconds), column: place, into: &buffer)
            }
        case (.integer(let number), .decimal(let scale)):
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.decimal(ScaledDecimal(unscaled: number, scale: scale), column: place, into: &buffer)
            }
        case (.integer(let number), .boolean):
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.boolean(number != 0, column: place, into: &buffer)
            }
        case (.real(let number), .double):
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.double(number, column: place, into: &buffer)
            }
        case (.blob(let bytes), .binary):
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.binary(bytes, column: place, into: &buffer)
            }
        case (.text(let bytes), _):
            // Other types that are stored as texts are written verbatim if the stored text is valid for the type.
            guard !Encoding.spellsWords, type.coding.isStored(bytes.span) else { return false }
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.word(bytes, column: place, into: &buffer)
            }
        default: return false
        }
        return true
    }

    /// Calls a closure that writes a value; if the closure fails, adds the row and the attribute to the error.
    @inline(__always)
    private func text(of place: Int, id: Int64, _ write: () throws(InvalidText) -> Void) throws {
        do throws(InvalidText) { try write() } catch { throw textless(error, place: place, id: id) }
    }

    /// Returns the error for a value that has no text in the format, with the row and the attribute.
    private func textless(_ error: InvalidText, place: Int, id: Int64) -> InterchangeError {
        InterchangeError(.invalidValue, message: "\(entity.name) \(id), \(names[place]): \(error.reason)")
    }
}
