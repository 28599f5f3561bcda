/// The descriptors of standard input, output and error, which the parent process may have closed.
enum StandardDescriptors {
    /// Opens a file for each closed standard descriptor, so that no store or file gets its number.
    ///
    /// The file is `/dev/null`, opened in the opposite mode. Therefore reading from it or writing to it fails as
    /// expected.
    static func fill() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The system assigns the lowest free number, which is this descriptor.
            _ = open("/dev/null", mode)
        }
    }
}
