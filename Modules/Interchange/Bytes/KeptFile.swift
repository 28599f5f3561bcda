import Foundation

/// A temporary file without a name, whose bytes can be read any number of times.
///
/// When the process ends, nothing of the file remains. Do not use one instance from several threads at once.
package final class KeptFile {
    /// The descriptor of the file, for reading and writing, which is valid until this object is deallocated.
    package let descriptor: Int32
    private let output: ByteOutput

    /// Creates an empty temporary file without a name.
    ///
    /// - Parameters:
    ///   - folder: The folder on whose file system the file is created.
    ///   - blockSize: The count of bytes that are buffered before they are written.
    /// - Throws: ``InterchangeError`` if the file cannot be created.
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

    /// Appends bytes to the file; must not be called after ``input(named:)``.
    package func append(_ bytes: [UInt8]) throws(InterchangeError) { try output.append(bytes) }

    /// Returns an input that reads the whole file from its beginning.
    ///
    /// The input stays valid after this object is deallocated. An input that an earlier call returned must not be used
    /// any more.
    ///
    /// - Parameter name: The name of the input in messages.
    /// - Returns: An input at the beginning of the file.
    /// - Throws: ``InterchangeError`` if the appended bytes cannot be written.
    package func input(named name: String) throws(InterchangeError) -> ByteInput {
        try rewind()
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw InterchangeError.input(output.name, failedWith: errno) }
        return ByteInput(descriptor: own, isOwned: true, name: name)
    }

    /// Writes the buffered bytes and moves to the beginning of the file.
    package func rewind() throws(InterchangeError) {
        try output.flush()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw InterchangeError.input(output.name, failedWith: errno) }
    }
}
