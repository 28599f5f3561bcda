import Foundation
import Shop
import ShopRelease2
import StrataPersistence
import Testing

@Suite("The second release of a generated model")
struct SecondReleaseTests {
    @Test("the container migrates the store of the first release")
    func migration() async throws {
        let folder = URL.temporaryDirectory.appending(path: "strata-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let description = PersistentStoreDescription.sqlite(at: folder.appending(path: "shop.sqlite"))
        let first = try PersistentContainer(model: Shop.AppModel.model(), description)
        let customers = Shop.StoredCustomersRepository(first.backgroundContext)
        let orders = Shop.StoredOrdersRepository(first.backgroundContext)
        let joined = Day(clampingYear: 2024, month: 1, day: 5)
        let ada = try await customers.create(key: "C-1", name: "Ada", joined: joined)
        for (total, status) in [(1, "open"), (2, "paid"), (3, "open")] as [(Decimal, String)] {
            try await orders.create(customer: ada.id, total: total, express: total == 3, status: status)
        }
        try first.close()

        let second = try PersistentContainer(model: ShopRelease2.AppModel.model(), description)
        let open = try await second.backgroundContext.fetch(ShopRelease2.Orders.open)
        #expect(open.map(\.total) == [3, 1] && open.map(\.isUrgent) == [true, false])
        let migrated = try await ShopRelease2.StoredCustomersRepository(second.backgroundContext).find(key: "C-1")
        #expect(migrated?.name == "Ada" && migrated?.discount == 0)
        try second.close()
    }
}
