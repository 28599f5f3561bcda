/// What went wrong while a dataset was read or written, and where.
///
/// ``description`` is one line for the person whose file it is:
/// `colors.csv:17: record 15, column hex: "#12" is not a colour (#RGB or #RRGGBB)`.
/// It may hold text of the file, because the tool reports about the user's own file.
public struct InterchangeError: Error, Sendable, Equatable {
    /// The kind of failure; decides what a program does about it.
    public var code: Code

    /// The name of the file as it was given, or `<stdin>`; nil when no file is meant.
    public var source: String?

    /// The physical line, from 1: of the start of the record, or of the place that is no JSON.
    public var line: Int?

    /// The number of the data record, from 1; a header is not one.
    public var record: Int?

    /// The column's or key's name, or its number from 1 where it has no name yet.
    public var column: String?

    /// What is wrong, which rule it breaks, and what to do.
    public var message: String

    /// The system's error number (`errno`), when the system refused.
    public var errorNumber: Int32?

    /// What is wrong with names, where the code is ``Code/columns``; empty where it is something else of them.
    public var nameFaults: NameFaults = []

    /// Makes an error; leave out what is not known.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - source: The name of the file as it was given, or `<stdin>`.
    ///   - line: The physical line, from 1.
    ///   - record: The number of the data record, from 1.
    ///   - column: The column's or key's name, or its number from 1.
    ///   - message: What is wrong, which rule it breaks, and what to do.
    ///   - errorNumber: The system's error number.
    public init(
        _ code: Code,
        source: String? = nil,
        line: Int? = nil,
        record: Int? = nil,
        column: String? = nil,
        message: String,
        errorNumber: Int32? = nil
    ) {
        self.code = code
        self.source = source
        self.line = line
        self.record = record
        self.column = column
        self.message = message
        self.errorNumber = errorNumber
    }
}

extension InterchangeError {
    /// The kinds of failure, one for each thing that a program can do about them.
    ///
    /// A structure with static members and no enumeration, so that a new one breaks nobody's `switch`: match with `==` or
    /// `case .name`, and have a `default`. Its description is its name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case malformed, invalidValue, header, columns, inputNotFound, unreadable, cannotCreate, outputFailed,
                closedPipe, tooManyErrors, cancelled, permission, unsupported, changed, notAsListed, conflict
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name, for logs and tests: `malformed`.
        public var description: String { kind.rawValue }

        /// The file breaks the rules of its format.
        public static let malformed = Code(.malformed)

        /// A value breaks the rules of its attribute.
        public static let invalidValue = Code(.invalidValue)

        /// There is no header, or the document's records are not where they should be.
        public static let header = Code(.header)

        /// Columns or keys are missing, unknown or repeated.
        public static let columns = Code(.columns)

        /// There is no such input, or it is a directory.
        public static let inputNotFound = Code(.inputNotFound)

        /// The input is there, but reading it failed.
        public static let unreadable = Code(.unreadable)

        /// The output cannot be created.
        public static let cannotCreate = Code(.cannotCreate)

        /// Writing failed: a full disk, a broken device.
        public static let outputFailed = Code(.outputFailed)

        /// The reader of the output has gone away; usually no failure at all, and not to be reported.
        public static let closedPipe = Code(.closedPipe)

        /// More records were rejected than are allowed.
        public static let tooManyErrors = Code(.tooManyErrors)

        /// Somebody asked to stop while the input was being waited for.
        public static let cancelled = Code(.cancelled)

        /// The system does not allow it.
        public static let permission = Code(.permission)

        /// An option or a format that is not there.
        public static let unsupported = Code(.unsupported)

        /// A record's identifier or unique value is another's already.
        public static let conflict = Code(.conflict)

        /// The input is not the one that was meant, or not any more: another than an import was broken off in, or one
        /// that somebody writes to.
        public static let changed = Code(.changed)

        /// The input is another than a manifest lists.
        public static let notAsListed = Code(.notAsListed)
    }
}

extension InterchangeError: CustomStringConvertible {
    /// The place and the message, without the parts that are not known.
    public var description: String {
        var text = ""
        switch (source, line) {
        case (let source?, let line?): text += "\(source):\(line): "
        case (let source?, nil): text += "\(source): "
        case (nil, let line?): text += "line \(line): "
        case (nil, nil): break
        }
        switch (record, column.map(PrintableText.escaped)) {
        case (let record?, let column?): text += "record \(record), column \(column): "
        case (let record?, nil): text += "record \(record): "
        case (nil, let column?): text += "column \(column): "
        case (nil, nil): break
        }
        return text + message
    }
}
