import Domain
import FixtureGeneration
import Foundation

/// FNV-1a of 64 bits over rendered rows: any change to any field of any row changes it.
struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ row: [String]) {
        for byte in (row.joined(separator: "\t") + "\n").utf8 {
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
    }
}

/// The entities by name, each with a rendering of one row.
enum Entity: String, CaseIterable {
    case color
    case boss
    case employee
    case item

    func row(_ dataset: DatasetGenerator, _ index: Int) throws -> [String] {
        switch self {
        case .color:
            let color = try dataset.color(at: index)
            return ["\(color.id)", "\(color.hex)", color.name ?? "\\N", seconds(color.dateCreated)]
        case .boss:
            let boss = try dataset.boss(at: index)
            return ["\(boss.id)", boss.firstName, boss.lastName]
        case .employee:
            let person = try dataset.employee(at: index, bosses: 20)
            let boss = person.boss.map { "\($0)" } ?? "\\N"
            let name = [person.firstName, person.lastName]
            return ["\(person.id)"] + name + ["\(person.salary)", seconds(person.dateHired), boss]
        case .item:
            let item = try dataset.item(at: index)
            let prices = ["\(item.unitCost)", "\(item.unitPrice)", "\(item.stockCount)"]
            return ["\(item.id)", item.itemId.uuidString, seconds(item.dateCreated), item.name] + prices
        }
    }

    private func seconds(_ date: Date) -> String { "\(Int64(date.timeIntervalSinceReferenceDate))" }
}
