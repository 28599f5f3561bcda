import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories

/// Saves one changed employee in a SQLite file, and writes the profile of this save only.
///
/// The program must be built with code coverage. The environment variable `LLVM_PROFILE_FILE` names the profile.
@main
struct SaveOne {
    static func main() async throws {
        let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
        let container = try PersistentContainer(
            model: ReferenceModel.model(), .sqlite(at: folder.appending(component: "employees.sqlite")),
            mainQueue: .private)
        let context = container.backgroundContext
        let employee = try await StoredEmployeeRepository(context).create(
            firstName: "Grace", lastName: "Hopper", salary: 100, dateHired: .now, boss: nil)
        try await context.perform { context in
            try context.existingObject(with: employee.id, of: Employee.self).salary = 200
            resetCounters()
            try context.save()
            guard writeProfile() == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
        // A regular exit writes the profile again, with what came after the save.
        _exit(0)
    }
}

// The functions of LLVM's profile runtime. Source: clang.llvm.org/docs/SourceBasedCodeCoverage.html.

/// Sets the count of executions of every line to zero.
@_silgen_name("__llvm_profile_reset_counters")
private func resetCounters()

/// Writes the profile, and returns zero if it succeeded.
@_silgen_name("__llvm_profile_write_file")
private func writeProfile() -> Int32
