import StrataFixtures
import StrataInterchange
import StrataPersistence

/// The exit codes, according to sysexits.h.
enum ExitCode {
    static let success: Int32 = 0
    /// Two models differ, or a migration would drop data.
    static let different: Int32 = 1
    /// Invalid data, or a file that is not a Strata store.
    static let badData: Int32 = 65
    /// The input does not exist.
    static let noInput: Int32 = 66
    /// An error in the program itself.
    static let software: Int32 = 70
    static let cannotCreate: Int32 = 73
    /// Input or output failed, or the disk is full.
    static let inputOutput: Int32 = 74
    /// The store is locked by another process; a later attempt may succeed.
    static let temporary: Int32 = 75
    static let noPermission: Int32 = 77
    /// The exit code after SIGINT: 128 plus the number of the signal, as in shells.
    static let interrupted: Int32 = 130

    /// All exit statuses, for help and the manual.
    static let statuses: [ExitStatus] = [
        ExitStatus(code: success, meaning: "The command succeeded."),
        ExitStatus(
            code: different,
            meaning: "Two models differ, or a migration requires help or would lose data that is not named."),
        ExitStatus(code: UsageError.exitCode, meaning: "The command line is invalid."),
        ExitStatus(
            code: badData,
            meaning: "Invalid data, rejected records, fixtures that differ, or a foreign or damaged store."),
        ExitStatus(code: noInput, meaning: "The input or store does not exist."),
        ExitStatus(code: software, meaning: "An error in strata itself."),
        ExitStatus(code: cannotCreate, meaning: "The output cannot be created, or would replace a database."),
        ExitStatus(code: inputOutput, meaning: "Reading or writing failed, or the disk is full."),
        ExitStatus(code: temporary, meaning: "Another process has locked or just migrated the store; try again."),
        ExitStatus(code: noPermission, meaning: "Permission is missing, or the store is read-only."),
        ExitStatus(code: interrupted, meaning: "The command was interrupted; nothing was stored or replaced."),
    ]

    /// Reports an error on standard error, and returns the exit code.
    ///
    /// - Parameters:
    ///   - error: The error that ended the command.
    ///   - words: The words of the command line, which are shortened if a message repeats them.
    /// - Returns: The exit code.
    static func report(_ error: any Error, words: [String] = []) -> Int32 {
        let cut = ArgumentCut(words)
        func note(_ message: String) { Console.note(cut(message)) }
        switch error {
        case is RejectedRecords, is StaleFiles, is FaultyStore, is FaultyModel: return badData
        case is DifferentModels: return different
        case let error as FixtureError:
            note(error.source == nil ? "strata: \(error)" : "\(error)")
            return badData
        case let error as Interrupted:
            note("strata: \(error.message)")
            return interrupted
        case let error as ModelFailure:
            note("\(error)")
            return badData
        case let error as UsageError:
            note("strata: \(error)")
            return UsageError.exitCode
        case let error as InterchangeError where error.code == .closedPipe: return success
        case let error as InterchangeError where error.code == .cancelled:
            return report(CancellationError(), words: words)
        case let error as InterchangeError:
            note("\(error)")
            return code(of: error)
        case let error as PersistenceError:
            note("\(error)")
            return code(of: error)
        case is CancellationError:
            note("strata: interrupted; nothing was stored or replaced")
            return interrupted
        default:
            note("strata: \(error)")
            return software
        }
    }

    private static func code(of error: InterchangeError) -> Int32 {
        switch error.code {
        case .malformed, .invalidValue, .header, .columns, .tooManyErrors, .changed, .notAsListed, .conflict: badData
        case .inputNotFound: noInput
        case .unreadable, .outputFailed: inputOutput
        case .cannotCreate: cannotCreate
        case .permission: noPermission
        case .unsupported: UsageError.exitCode
        case .closedPipe: success
        case .cancelled: interrupted
        default: software
        }
    }

    private static func code(of error: PersistenceError) -> Int32 {
        switch error.code {
        case .incompatibleModel, .newerFormat, .foreignStore, .notADatabase, .corrupt, .unreadable, .validation,
            .conflict,
            .uniqueness,
            .danglingReference, .objectNotFound, .arithmetic, .identifiersExhausted, .notTracked, .otherStore,
            .historyExpired:
            badData
        case .storeNotFound: noInput
        case .cannotCreate: cannotCreate
        case .permissionDenied, .readOnly: noPermission
        case .locked, .storeMigrated: temporary
        case .dataLoss: different
        case .diskFull, .inputOutput, .unknownOutcome: inputOutput
        // The other codes are errors in the program, such as an invalid model or request, or a closed store.
        default: software
        }
    }
}
