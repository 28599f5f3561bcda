import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataReports

@Suite("Figures of days and times of day")
struct CalendarFigureTests {
    @Test("days are summarized in date bins, and times of day are counted by hour")
    func figures() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Shop",
                [
                    .attribute(.init("founded", .day, isOptional: true)),
                    .attribute(.init("opens", .timeOfDay, isOptional: true)),
                ])
        ])
        let container = try PersistentContainer.inMemory(model: model)
        try container.batchInsert(into: "Shop") { inserter in
            for (number, text) in ["08:30:00", "08:59:59.5", "23:00:00"].enumerated() {
                let values: [StoredValue] = [
                    Day(daysSinceReferenceDay: number * 40).map(StoredValue.day) ?? .null,
                    TimeOfDay(text).map(StoredValue.timeOfDay) ?? .null,
                ]
                try inserter.insert(values: values, location: RowLocation(line: number, record: number))
            }
        }
        let report = try StoreReport(reading: container.coordinator.store)
        let columns = try #require(report.entities.first).columns
        #expect(columns.map(\.kind) == ["day", "time of day"])
        guard case .dates(let days) = columns[0].figure, case .timesOfDay(let times) = columns[1].figure else {
            Issue.record("a figure is missing")
            return
        }
        #expect(days.least.text == "2001-01-01" && days.greatest.text == "2001-03-22" && days.count == 3)
        #expect(times.counts[8] == 2 && times.counts[23] == 1 && times.count == 3)
        #expect("\(times.least) \(times.greatest)" == "08:30:00 23:00:00")
        let page = report.page
        #expect(page.contains("3 times by hour of the day, from 08:30:00 to 23:00:00."))
    }
}
