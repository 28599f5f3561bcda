import Foundation

extension ManagedObjectModel {
    /// The model as JSON: what a store keeps of it, readable by people and by other languages.
    ///
    /// The same model gives the same text.
    ///
    /// - Throws: `EncodingError`; no model that passed its check is known to.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(ModelImage(self)), as: UTF8.self)
    }

    /// What differs between the model a store was made with and this one, one sentence a difference; empty when nothing does.
    ///
    /// - Throws: `DecodingError` when the text is no model.
    public func differences(fromJSON json: String) throws -> [String] {
        let stored = try JSONDecoder().decode(ModelImage.self, from: Data(json.utf8))
        return ModelImage(self).differences(from: stored, (old: "the store", new: "the model"))
    }

    /// What differs between an earlier model and this one, one sentence a difference; empty when nothing does.
    package func differences(from old: ManagedObjectModel) -> [String] {
        ModelImage(self).differences(from: ModelImage(old), (old: "the old model", new: "the new one"))
    }

    /// What an entity's properties are, in words, in the declared order.
    package func summaries(of entity: EntityDescription) -> [(name: String, summary: String)] {
        entity.properties.map { ($0.name, ModelImage.Property($0, of: entity).summary) }
    }

    /// A hash for each entity, over everything the store depends on; equal hashes mean equal entities.
    ///
    /// - Throws: `EncodingError`; no model that passed its check is known to.
    public func entityHashes() throws -> [String: String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var hashes: [String: String] = [:]
        for entity in ModelImage(self).entities {
            hashes[entity.name] = Self.fingerprint(try encoder.encode(entity))
        }
        return hashes
    }

    /// A hash over everything that stores depend on: equal hashes mean equal models, whatever files and people call things.
    ///
    /// - Returns: 16 hexadecimal digits.
    /// - Throws: `EncodingError`; no model that passed its check is known to.
    public func versionHash() throws -> String { Self.fingerprint(Data(try json().utf8)) }

    private static func fingerprint(_ bytes: Data) -> String {
        let digits = String(StableHash.fnv1a(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
