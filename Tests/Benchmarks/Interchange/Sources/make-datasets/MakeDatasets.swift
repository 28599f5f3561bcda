import Foundation

/// A program that writes the deterministic datasets of the benchmark: bosses.csv, employees.csv, employees.ndjson,
/// colors.csv.
///
/// Usage: make-datasets DIRECTORY ROWS
@main
enum MakeDatasets {
    static let bosses = 100_000

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let rows = Int(arguments[2]), rows > 0 else {
            FileHandle.standardError.write(Data("usage: make-datasets DIRECTORY ROWS\n".utf8))
            exit(64)
        }
        var random = SplitMix(state: 2026)
        let names = Names()
        let folder = arguments[1]
        let bossFile = try Output("\(folder)/bosses.csv")
        try bossFile.write("id,firstName,lastName\n")
        for id in 1...bosses {
            try bossFile.write("\(id),\(names.csv(names.first(&random))),\(names.csv(names.last(&random)))\n")
        }
        try bossFile.finish()
        let csv = try Output("\(folder)/employees.csv")
        let ndjson = try Output("\(folder)/employees.ndjson")
        try csv.write("id,firstName,lastName,salary,dateHired,boss\n")
        for id in 1...rows {
            let (first, last) = (names.first(&random), names.last(&random))
            let salary = 30_000 + random.next(170_000)
            let (date, boss) = (names.date(&random), random.next(bosses) + 1)
            try csv.write("\(id),\(names.csv(first)),\(names.csv(last)),\(salary),\(date),\(boss)\n")
            try ndjson.write(
                "{\"id\":\(id),\"firstName\":\(names.json(first)),\"lastName\":\(names.json(last)),"
                    + "\"salary\":\(salary),\"dateHired\":\"\(date)\",\"boss\":\(boss)}\n")
        }
        try csv.finish()
        try ndjson.finish()
        let colors = try Output("\(folder)/colors.csv")
        try colors.write("id,hex,name,dateCreated\n")
        for id in 1...rows {
            let digits = String(random.next(1 << 24), radix: 16, uppercase: true)
            let hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
            try colors.write("\(id),\(hex),\(names.csv(names.last(&random))),\(names.date(&random))\n")
        }
        try colors.finish()
    }
}

/// Names, of which 2 % need quotes and 12 % are not ASCII.
struct Names {
    private let plain = [
        "Ada", "Grace", "Linus", "Margaret", "Dennis", "Barbara", "Edsger", "Frances", "Donald", "Radia", "Niklaus",
        "Smith", "Johnson", "Williams", "Brown", "Garcia", "Miller", "Davis", "Wilson", "Anderson", "Taylor", "Moore",
    ]
    private let beyondASCII = [
        "Zoë", "José", "Søren", "François", "Łukasz", "Ğülşen", "山田", "Дмитрий", "Núñez", "Müller",
    ]
    private let quoted = ["O\"Neil", "Smith, Jr.", "van\nDyke", "de \"la\" Cruz, Sr."]

    func first(_ random: inout SplitMix) -> String { name(&random) }
    func last(_ random: inout SplitMix) -> String { name(&random) + "son" }

    private func name(_ random: inout SplitMix) -> String {
        let dice = random.next(100)
        let names = dice < 2 ? quoted : (dice < 14 ? beyondASCII : plain)
        return names[random.next(names.count)]
    }

    func csv(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    func json(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x0A }) else { return "\"\(text)\"" }
        return "\"" + text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }

    func date(_ random: inout SplitMix) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(1990 + random.next(36))-\(two(1 + random.next(12)))-\(two(1 + random.next(28)))"
            + "T\(two(random.next(24))):\(two(random.next(60))):\(two(random.next(60)))Z"
    }
}

/// A SplitMix64 generator.
struct SplitMix {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}

/// A file that is written in large blocks.
final class Output {
    private let handle: FileHandle
    private var buffer: [UInt8] = []

    init(_ path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 1 << 20 { try flush() }
    }

    private func flush() throws {
        try handle.write(contentsOf: Data(buffer))
        buffer.removeAll(keepingCapacity: true)
    }

    func finish() throws {
        try flush()
        try handle.close()
    }
}
