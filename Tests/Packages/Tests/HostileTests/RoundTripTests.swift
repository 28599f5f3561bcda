import Foundation
import StrataModelFiles
import StrataPersistence
import StrataTesting
import Testing

import enum Hostile.AppModel2

@Suite("Code that is generated from a hostile model")
struct RoundTripTests {
    private func source() throws -> ManagedObjectModel {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Hostile/hostile.model.json")
        return try ModelFile(json: Array(Data(contentsOf: file))).model
    }

    @Test("the model of the generated types equals the model of the file")
    func equalModels() throws {
        let (source, generated) = (try source(), try AppModel2.model())
        #expect(ModelFile.differences(from: source, to: generated) == [])
        #expect(ModelFile.text(of: generated) == ModelFile.text(of: source))
    }
}
