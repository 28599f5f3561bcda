import Foundation
import StrataFiles

/// Functions that synchronize folders, whose entries are written to the disk separately from the content of files.
enum Folder {
    /// Writes the entries of the folder that contains a file to the disk.
    static func synchronize(holding file: String) throws(InterchangeError) {
        try synchronize(OpenFile(folder: FilePath.folder(of: file)), path: file)
    }

    /// Writes the entries of an open folder to the disk.
    ///
    /// If the folder cannot be read or the file system does not support the synchronization, this function does
    /// nothing.
    ///
    /// - Parameters:
    ///   - folder: The folder, or `nil` if the folder could not be opened.
    ///   - path: The path that the error contains.
    /// - Throws: ``InterchangeError/Code/outputFailed`` if the synchronization fails.
    static func synchronize(_ folder: OpenFile?, path: String) throws(InterchangeError) {
        do throws(FileError) { try folder?.synchronize() } catch {
            guard ![EINVAL, EROFS, ENOSYS, ENOTSUP].contains(error.number) else { return }
            var failure = InterchangeError.output(path, failedWith: error.number)
            failure.message =
                "the file was written, but its directory cannot be synchronized, so a power failure may remove the "
                + "file: \(error.reason)"
            throw failure
        }
    }
}
