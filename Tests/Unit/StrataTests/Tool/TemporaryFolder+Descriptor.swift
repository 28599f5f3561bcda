extension TemporaryFolder {
    /// The property that declares the second version of descriptors.
    static let version2 = #""$schema": "https://datapackage.org/profiles/2.0/datapackage.json""#

    /// Writes a descriptor of one table `t` of texts.
    func writeDescriptor(_ properties: String, fields: [String] = ["a", "b"], schema: String = "") throws {
        let list = fields.map { #"{"name": "\#($0)", "type": "string"}"# }.joined(separator: ", ")
        try write(
            #"{\#(Self.version2), "resources": [{"name": "t", \#(properties), "schema": {\#(schema)"fields": [\#(list)]}}]}"#,
            to: "datapackage.json")
    }
}
