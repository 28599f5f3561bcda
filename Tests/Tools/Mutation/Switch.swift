import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// The switch of the changes that `make mutate` inserts into a module; this file is added only to the copy of the
// sources.

/// The number of the active change of this process; 0 is none.
private let mutant: Int = getenv("STRATA_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

/// The descriptor of the file to which a process writes the changes it reaches, or -1.
private let trace: Int32 = getenv("STRATA_MUTANT_TRACE").map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o644) } ?? -1

private let seen = Mutex<Set<Int>>([])

/// Returns a Boolean value that indicates whether a change is active.
@usableFromInline
func mutantIsOn(_ number: Int) -> Bool {
    if trace >= 0, seen.withLock({ $0.insert(number).inserted }) {
        let line = "\(number)\n"
        _ = line.withCString { write(trace, $0, line.utf8.count) }
    }
    return mutant == number
}
