import Foundation

/// The system calls and limits of a whole-file store, which tests replace to fill disks and end processes.
package struct AtomicEnvironment: Sendable {
    /// A step of a write.
    package enum Step: Sendable, CaseIterable {
        /// The new file exists and is empty.
        case created
        /// A part of the new file is written.
        case writing
        /// The new file is completely written.
        case written
        /// The new file is on the disk.
        case synchronized
        /// The new file has replaced the old one.
        case renamed
    }

    /// The default maximum size of a store: 256 MiB.
    ///
    /// The whole store is in memory, and every save writes the whole file.
    package static let maximumByteCount = 256 << 20

    /// The maximum size of a store in bytes, for reading and for writing.
    package var maximumByteCount = Self.maximumByteCount
    /// A closure that writes bytes to a file like the system call.
    package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { Foundation.write($0, $1, $2) }
    /// A closure that is called after each step of a write.
    package var step: @Sendable (Step) -> Void = { _ in }

    /// Creates the environment of the actual system.
    package init() {}
}
