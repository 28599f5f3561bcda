import Foundation
import StrataCore
import StrataInMemory

/// A file format of stores that consist of one file.
protocol AtomicFormat: Sendable {
    /// The name of the store kind in messages, such as `XML`.
    var kind: String { get }
    /// The version of the format that this program writes, which is also the newest version that it can read.
    var version: Int { get }

    /// Writes the file of a whole store to an output.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if a value is invalid for its
    ///   column; an error that `output` throws.
    func write(_ contents: InMemoryContents, _ title: StoreTitle, to output: any AtomicOutput) throws

    /// Reads the beginning of a store's file, and checks the completeness of the file as far as this is possible
    /// without the model.
    ///
    /// - Throws: ``FormatError``, with code ``PersistenceError/Code/notADatabase`` or
    ///   ``PersistenceError/Code/foreignStore`` if the file is not a store of the format.
    func head(of bytes: [UInt8]) throws -> StoreHead

    /// Reads the rows and join rows of a store's file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - head: The beginning of the file, which was read before.
    ///   - loader: The object that receives the rows.
    /// - Throws: ``FormatError`` if the file is invalid, or an error that `loader` throws.
    func read(_ bytes: [UInt8], after head: StoreHead, into loader: ContentsLoader) throws

    /// Returns the description of an offset in a file for messages, such as `line 3, column 5`.
    func place(_ offset: Int, in bytes: [UInt8]) -> String
}

extension AtomicFormat {
    /// Runs `body`, and adds the name of the file and a readable location to errors that it throws.
    func naming<Result>(_ path: String, _ bytes: [UInt8], _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FormatError {
            let place = error.offset.map { self.place($0, in: bytes) + ": " } ?? ""
            var named = PersistenceError(
                error.code, place + error.message, entity: error.entity, attribute: error.attribute, path: path)
            named.id = error.id
            throw named
        }
    }
}
