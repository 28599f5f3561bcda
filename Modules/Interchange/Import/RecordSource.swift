import StrataCore

/// The records of one dataset, and the row that each becomes: all in which the formats differ for an import.
///
/// A value, so that reading a batch is one access to it.
protocol RecordSource: ~Copyable {
    /// What is common to the rows.
    var decoding: RowDecoding { get }

    /// The line that names the columns as it stands in the file; empty where there is none.
    var header: [UInt8] { get }

    /// The names that the attributes have in the file, as far as it was read.
    var names: [String: String] { get }

    /// What was found out about the file.
    var findings: FileFindings { get }

    /// The number of the record that was read last, from 1.
    var record: Int { get }

    /// A number that tells that record from others.
    var fingerprint: UInt64 { get }

    /// The bytes of the record that was read last, as a file has them that holds it alone, with the line break that ended it where it
    /// has one of its own.
    mutating func original() throws(InterchangeError) -> [UInt8]

    /// Reads the next record; false at the end.
    mutating func next() throws(InterchangeError) -> Bool

    /// Adds the record's row to a block, which stays as it is where there is something wrong with the record.
    mutating func fillRow(_ block: inout RowBlock) throws(InterchangeError)

    /// Goes on behind a record with an error; false where there is no going on.
    mutating func recover() throws(InterchangeError) -> Bool

    /// The line from which on nothing is read, where the next record could not be found; `nil` where it was.
    var lostLine: Int? { get }

    /// Looks for what is wrong with the file as a whole, behind its last record.
    func checkEnd() throws(InterchangeError)

    /// Reads rows until a batch is full, and notes the fingerprint of the last record where imports may be resumed; true at the
    /// end of the file.
    ///
    /// The same for all formats. A requirement all the same: it is called once a batch, by who does not know the format, and what
    /// it calls for each record is known.
    mutating func fill(
        _ block: inout RowBlock, problems: inout [ImportProblem], lastRecord: inout UInt64, size: RowBatch.Size
    ) throws(InterchangeError) -> Bool

    /// Passes over records, and notes the fingerprint of the last one.
    mutating func skip(to count: Int, lastRecord: inout UInt64) throws(InterchangeError)
}

extension RecordSource where Self: ~Copyable {
    mutating func fill(
        _ block: inout RowBlock, problems: inout [ImportProblem], lastRecord: inout UInt64, size: RowBatch.Size
    ) throws(InterchangeError) -> Bool {
        while block.count + problems.count < size.records, block.byteCount < size.bytes {
            do throws(InterchangeError) {
                guard try next() else {
                    try checkEnd()
                    return true
                }
                try fillRow(&block)
            } catch {
                guard decoding.mayReject(error) else { throw error }
                guard try recover() else { throw lost(behind: error) }
                problems.append(try problem(error))
            }
            if decoding.keepsFingerprint { lastRecord = fingerprint }
        }
        return false
    }

    mutating func skip(to count: Int, lastRecord: inout UInt64) throws(InterchangeError) {
        while record < count {
            do throws(InterchangeError) {
                guard try next() else { return }
            } catch {
                guard decoding.options.onError == .reject, error.code == .malformed else { throw error }
                guard try recover() else { throw lost(behind: error) }
            }
            if record == count { lastRecord = fingerprint }
        }
    }

    /// The error behind which there is no going on, with where that is.
    private func lost(behind error: InterchangeError) -> InterchangeError {
        guard let lostLine else { return error }
        var error = error
        error.message +=
            "; where the next record begins cannot be told, so that nothing was read from line \(lostLine) on"
        return error
    }

    private mutating func problem(_ error: InterchangeError) throws(InterchangeError) -> ImportProblem {
        ImportProblem(
            error: error, source: decoding.source, original: decoding.keepsOriginals ? try original() : [],
            header: header)
    }
}
