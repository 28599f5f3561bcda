import Foundation

/// Bytes that are kept to be read as often as needed, in a file among the temporary ones that has no name: nothing is left of it when the process ends.
///
/// Not to be used from several threads at once.
package final class KeptFile {
    /// Leads to the file, for reading and writing, as long as this is kept.
    package let descriptor: Int32
    private let output: ByteOutput

    /// Creates an empty file.
    ///
    /// - Parameters:
    ///   - folder: Where the room is taken.
    ///   - blockSize: How many bytes are gathered before they are written.
    /// - Throws: ``InterchangeError`` where it cannot be created.
    package init(
        in folder: String = FileManager.default.temporaryDirectory.path, blockSize: Int = ByteOutput.defaultBlockSize
    ) throws(InterchangeError) {
        let path = folder + "/strata-XXXXXX"
        var name = Array(path.utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw InterchangeError.creation(of: path, failedWith: errno) }
        _ = unlink(name)
        output = ByteOutput(descriptor: descriptor, name: path, blockSize: blockSize)
    }

    deinit { _ = close(descriptor) }

    /// Writes behind what is there; not after ``input(named:)``.
    package func append(_ bytes: [UInt8]) throws(InterchangeError) { try output.append(bytes) }

    /// Everything, from its beginning, also when this is not kept any more; an input that was given before is not to be used.
    ///
    /// - Parameter name: What it is called in messages.
    /// - Returns: The input.
    /// - Throws: ``InterchangeError`` where what was appended cannot be written.
    package func input(named name: String) throws(InterchangeError) -> ByteInput {
        try rewind()
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw InterchangeError.input(output.name, failedWith: errno) }
        return ByteInput(descriptor: own, isOwned: true, name: name)
    }

    /// Goes back to the beginning, when everything is written.
    package func rewind() throws(InterchangeError) {
        try output.flush()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw InterchangeError.input(output.name, failedWith: errno) }
    }
}
