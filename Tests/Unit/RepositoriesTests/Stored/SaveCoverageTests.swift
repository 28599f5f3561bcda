import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

/// The save that Tests/Tools/Coverage/save-files.sh measures.
@Suite("Coverage of one save")
struct SaveCoverageTests {
    /// The functions of a process that was built with code coverage; `nil` in other builds.
    private static let counters = Counters()

    @Test("a save of one changed employee changes its row, and executes the code whose files the script counts")
    func save() async throws {
        let stack = try ArticleStack(.sqlite)
        let context = stack.container.backgroundContext
        let id = try await StoredBossRepository(context).create(firstName: "Ada", lastName: "Lovelace").id
        let employees = StoredEmployeeRepository(context)
        let employee = try await employees.create(
            firstName: "Grace", lastName: "Hopper", salary: 100, dateHired: .now, boss: id)
        try await context.perform { context in
            try context.existingObject(with: employee.id, of: Employee.self).salary = 200
            Self.counters?.reset()
            try context.save()
            Self.counters?.write()
        }
        #expect(try await employees.fetch(Query()).map(\.salary) == [200])
    }

    /// The functions of LLVM's profile runtime, which reset the counters and write them to a file.
    ///
    /// Source: clang.llvm.org/docs/SourceBasedCodeCoverage.html.
    private struct Counters {
        private let resetCounters: @convention(c) () -> Void
        private let writeFile: @convention(c) () -> Int32
        private let setName: @convention(c) (UnsafePointer<CChar>) -> Void
        private let path: String

        init?() {
            guard let path = ProcessInfo.processInfo.environment["STRATA_SAVE_PROFILE"],
                let program = dlopen(nil, RTLD_NOW),
                let reset = dlsym(program, "__llvm_profile_reset_counters"),
                let write = dlsym(program, "__llvm_profile_write_file"),
                let name = dlsym(program, "__llvm_profile_set_filename")
            else { return nil }
            self.path = path
            resetCounters = unsafeBitCast(reset, to: (@convention(c) () -> Void).self)
            writeFile = unsafeBitCast(write, to: (@convention(c) () -> Int32).self)
            setName = unsafeBitCast(name, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self)
        }

        func reset() { resetCounters() }

        func write() {
            setName(path)
            _ = writeFile()
        }
    }
}
