/// An error of reading or writing a dataset, with its location in the file.
///
/// ``description`` is one line for the owner of the file: `colors.csv:17: record 15, column hex: "#12" is not a color
/// (#RGB or #RRGGBB)`. It may contain text of the file, because the tool reports about the user's own file.
///
/// Programs react to ``code``, and show ``description`` to the user:
///
/// ```swift
/// do {
///     _ = try importer.run(ByteInput(path: "colors.csv"))
/// } catch let error as InterchangeError where error.code == .columns {
///     print("wrong columns: \(error)")
/// } catch let error as InterchangeError {
///     print(error)
/// }
/// ```
///
/// The properties contain only what is known: an error of a whole file has no line, and an error of an output has
/// neither. `PersistenceError` of the store is a different type; an import converts errors of rows to this type.
///
/// ## Topics
///
/// ### The kind of failure
///
/// - ``code``
/// - ``Code``
/// - ``nameFaults``
/// - ``NameFaults``
/// - ``errorNumber``
///
/// ### The location
///
/// - ``source``
/// - ``line``
/// - ``record``
/// - ``column``
///
/// ### The text
///
/// - ``message``
/// - ``description``
///
/// ### Creating an error
///
/// - ``init(_:source:line:record:column:message:errorNumber:)``
public struct InterchangeError: Error, Sendable, Equatable {
    /// The kind of failure, which determines how a program reacts.
    public var code: Code

    /// The name of the file as the user specified it, or `<stdin>`; `nil` if the error concerns no file.
    public var source: String?

    /// The physical line on which the record begins, or of a JSON syntax error, from 1; `nil` if the error concerns no
    /// line.
    ///
    /// LF, CRLF and CR end a line, also inside of quotes and strings.
    public var line: Int?

    /// The number of the data record, from 1, not counting a header; `nil` if the error concerns no record.
    ///
    /// A rejected record keeps its number, so numbers of later records do not change.
    public var record: Int?

    /// The name of the column or key, or its number from 1 if it has no name; `nil` if the error concerns none.
    ///
    /// If an error concerns several columns, such as the parts of a key, their names are separated by commas.
    public var column: String?

    /// The description of the problem, the violated rule, and the solution.
    ///
    /// It has no final period and no location. It may contain other problems of the same record, separated by
    /// semicolons. Long texts of the file are truncated, and control characters are escaped.
    public var message: String

    /// The system's error number (`errno`); `nil` if no system call failed.
    public var errorNumber: Int32?

    /// The address of the cell or the number of the row in a sheet, such as `C7` or `7`; `nil` for other files.
    package var address: String?

    /// The kinds of invalid names, if the code is ``Code/columns``; empty if the error has a different cause.
    ///
    /// A program can suggest the right option with them: a mapping for an unknown name, or another file for missing
    /// names.
    public var nameFaults: NameFaults = []

    /// Creates an error.
    ///
    /// The parts that are not known are `nil`.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - source: The name of the file as the user specified it, or `<stdin>`.
    ///   - line: The physical line, from 1.
    ///   - record: The number of the data record, from 1.
    ///   - column: The name of the column or key, or its number from 1.
    ///   - message: The description of the problem, the violated rule, and the solution.
    ///   - errorNumber: The system's error number (`errno`).
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
    /// The kinds of failure, one for each possible reaction of a program.
    ///
    /// The type is a structure with static members instead of an enumeration, so that a new code does not break a
    /// client's `switch`. Match with `==` or `case .name`, and have a `default`. The description of a code is its name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case malformed, invalidValue, header, columns, inputNotFound, unreadable, cannotCreate, outputFailed,
                closedPipe, tooManyErrors, cancelled, permission, unsupported, changed, notAsListed, conflict
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name of the code, for logs and tests, such as `malformed`.
        public var description: String { kind.rawValue }

        /// The file violates the rules of its format.
        ///
        /// The user must fix the file, or the program must select another dialect, encoding or format. For a dataset,
        /// the error has a line, and mostly a record.
        public static let malformed = Code(.malformed)

        /// A value violates the rules of its attribute.
        ///
        /// An export throws it too, for a value that cannot be written.
        public static let invalidValue = Code(.invalidValue)

        /// The table has no header, or the records of the document are not at the expected location.
        ///
        /// Most often, the options do not fit the file: another root, separator or format is needed.
        public static let header = Code(.header)

        /// Names of columns or keys are missing, unknown or repeated.
        ///
        /// ``InterchangeError/nameFaults`` contains the kinds of problems. Exports throw it for unknown paths of
        /// columns.
        public static let columns = Code(.columns)

        /// The input does not exist, or it is a directory.
        public static let inputNotFound = Code(.inputNotFound)

        /// The input exists, but reading it failed.
        public static let unreadable = Code(.unreadable)

        /// The output cannot be created.
        public static let cannotCreate = Code(.cannotCreate)

        /// Writing the output failed, for example because of a full disk or a broken device.
        ///
        /// A file that replaces its target at the end has left its target unchanged.
        public static let outputFailed = Code(.outputFailed)

        /// The reader of the output closed the pipe; usually this is not a failure and need not be reported.
        public static let closedPipe = Code(.closedPipe)

        /// More records were rejected than the options allow.
        ///
        /// See ``ImportOptions/maximumErrors``. The message contains the last error.
        public static let tooManyErrors = Code(.tooManyErrors)

        /// The caller canceled the reading.
        ///
        /// ``DatasetImporter`` throws `CancellationError` instead.
        public static let cancelled = Code(.cancelled)

        /// The system denies access to the file.
        public static let permission = Code(.permission)

        /// An option or a format is not supported.
        ///
        /// Most often, options contradict each other or the format. Compressed bytes have this code too if they are
        /// imported without decompression.
        public static let unsupported = Code(.unsupported)

        /// A record's identifier or unique value already belongs to another row.
        ///
        /// See ``ImportOptions/onConflict``.
        public static let conflict = Code(.conflict)

        /// The input differs from the expected input.
        ///
        /// The input is not the file that an interrupted import read, or another process changed the file while it was
        /// read.
        public static let changed = Code(.changed)

        /// The input is not equal to the file that a manifest describes.
        ///
        /// An import detects it at the end of the file, and is then aborted.
        public static let notAsListed = Code(.notAsListed)
    }
}

extension InterchangeError: CustomStringConvertible {
    /// The location and the message on one line, without the parts that are unknown.
    ///
    /// Control characters in the name of the column are escaped, so a file cannot change the terminal.
    public var description: String {
        var text = ""
        switch (source, line) {
        case (let source?, _) where address != nil: text += "\(source)!\(address ?? ""): "
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
