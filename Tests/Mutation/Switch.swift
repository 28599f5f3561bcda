import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// The switch of the changes that are put into a module for `make mutate`; it belongs in a copy of the sources and nowhere else.

/// The change that this process runs with; 0 is none.
private let mutant: Int = getenv("STRATA_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

/// Where the changes are noted that a process comes by, if anybody wants to know.
private let trace: Int32 = getenv("STRATA_MUTANT_TRACE").map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o644) } ?? -1

private let seen = Mutex<Set<Int>>([])

/// Whether a change is on.
@usableFromInline
func mutantIsOn(_ number: Int) -> Bool {
    if trace >= 0, seen.withLock({ $0.insert(number).inserted }) {
        let line = "\(number)\n"
        _ = line.withCString { write(trace, $0, line.utf8.count) }
    }
    return mutant == number
}
