import StrataInference
import StrataInterchange

/// The example of StrataInference.
func inferredModel() throws {
    var inference = ModelInference(names: ["people", "cities"])
    try inference.read(ByteInput.file(at: "people.csv"), as: "people", path: "people.csv", ReadingOptions(format: .csv))
    try inference.read(ByteInput.file(at: "cities.csv"), as: "cities", path: "cities.csv", ReadingOptions(format: .csv))
    let inferred = try inference.result()
    for line in inferred.report.lines { print(line) }
}
