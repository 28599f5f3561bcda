import StrataCore
import StrataStoreKit

/// The format-specific part of an import, which reads the records of a dataset and converts them to rows.
///
/// Conforming types are values, so that reading a batch is one exclusive access.
///
/// A source is used by one thread at a time. An invalid record throws from ``next()`` if its syntax is invalid, and
/// from ``fillRow(_:)`` if its values are.
protocol RecordSource: ~Copyable {
    /// The settings for the conversion of all records.
    var decoding: RowDecoding { get }

    /// The verbatim bytes of the header; empty if the file has no header.
    var header: [UInt8] { get }

    /// The names of the attributes in the file, as far as it was read.
    var names: [String: String] { get }

    /// The information about the file that was collected while records were read.
    var findings: FileFindings { get }

    /// The number of the record that was read last, from 1.
    var record: Int { get }

    /// A hash that distinguishes the record that was read last from other records.
    var fingerprint: UInt64 { get }

    /// Returns the bytes of the last record in the form of a separate file.
    ///
    /// The result includes the line break of the record if it has its own.
    mutating func original() throws(InterchangeError) -> [UInt8]

    /// Reads the next record; returns `false` at the end of the file.
    mutating func next() throws(InterchangeError) -> Bool

    /// Appends the record's row to a block, which is unchanged if the record is invalid.
    ///
    /// - Throws: ``InterchangeError`` with all problems of the record that were found.
    mutating func fillRow(_ block: inout RowBlock) throws(InterchangeError)

    /// Moves to the next record after an invalid record; returns `false` if that is not possible.
    mutating func recover() throws(InterchangeError) -> Bool

    /// The line after which nothing is read because the next record could not be found; otherwise `nil`.
    var lostLine: Int? { get }

    /// Throws an error if the file as a whole is invalid; the caller calls this method after the last record.
    func checkEnd() throws(InterchangeError)

    /// Reads rows until a batch is full; returns `true` at the end of the file.
    ///
    /// The function also stores the fingerprint of the last record if imports may be resumed. The implementation is the
    /// same for all formats. It is a protocol requirement for performance: generic code calls it once per batch, and
    /// the calls inside it for each record are specialized.
    mutating func fill(
        _ block: inout RowBlock, problems: inout [ImportProblem], lastRecord: inout UInt64, size: RowBatch.Size
    ) throws(InterchangeError) -> Bool

    /// Skips records, and stores the fingerprint of the last one.
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

    /// Returns the error after which reading cannot continue, with the line where reading stopped.
    private func lost(behind error: InterchangeError) -> InterchangeError {
        guard let lostLine else { return error }
        var error = error
        error.message +=
            "; the beginning of the next record is unknown, so that nothing was read from line \(lostLine) on"
        return error
    }

    private mutating func problem(_ error: InterchangeError) throws(InterchangeError) -> ImportProblem {
        ImportProblem(
            error: error, source: decoding.source, original: decoding.keepsOriginals ? try original() : [],
            header: header)
    }
}
