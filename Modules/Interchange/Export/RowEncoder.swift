import Foundation
import StrataCore

/// Writes rows of an entity as records, column by column, without a value in between where the store gives access to its memory.
struct RowEncoder<Encoding: RecordEncoding> {
    let encoding: Encoding
    private let entity: EntityDescription
    private let columns: FixedArray<Source>
    /// Whether null is allowed in each column; elsewhere it is damage, which the row's source knows how to say.
    private let allowsNull: FixedArray<Bool>
    private let names: [String]

    /// What a column holds, in a form that costs nothing to copy.
    private enum Source {
        case id
        case column(Int, AttributeType)
        /// What the row itself does not have: it comes with the values that were gathered.
        case gathered
    }

    /// Prepares the writing of columns.
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

    /// Writes a row whose own columns are all that is written.
    ///
    /// - Throws: ``InterchangeError`` when a value has no text, `PersistenceError` when what is stored is of another type.
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

    /// The same from the memory that is borrowed from the row's source.
    ///
    /// The source is no optional here: taking it out of one for each value would count its users each time.
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

    /// Writes values that were gathered, in the order of the columns.
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

    /// Writes a value as it is kept; false, and nothing written, when it is not what its column's type asks for.
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
            // Whatever else is kept as a text is written as it is kept, if that is its form.
            guard !Encoding.spellsWords, type.coding.isStored(bytes.span) else { return false }
            try text(of: place, id: id) { () throws(InvalidText) in
                try encoding.word(bytes, column: place, into: &buffer)
            }
        default: return false
        }
        return true
    }

    /// Writes a value, or says whose it is that cannot be written.
    @inline(__always)
    private func text(of place: Int, id: Int64, _ write: () throws(InvalidText) -> Void) throws {
        do throws(InvalidText) { try write() } catch { throw textless(error, place: place, id: id) }
    }

    private func textless(_ error: InvalidText, place: Int, id: Int64) -> InterchangeError {
        InterchangeError(.invalidValue, message: "\(entity.name) \(id), \(names[place]): \(error.reason)")
    }
}
