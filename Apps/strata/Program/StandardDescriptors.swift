/// Standard input, output and errors, which a caller may have closed.
enum StandardDescriptors {
    /// Puts something where a descriptor is closed, so that no store or file gets its number.
    ///
    /// It is `/dev/null` opened the wrong way round: reading from or writing to it fails, as it should.
    static func fill() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", mode)
        }
    }
}
