import Foundation

extension ManagedObjectModel {
    /// Returns the model as JSON: the text that a store records, readable by people and by programs in other languages.
    ///
    /// Equal models have equal texts.
    ///
    /// The text contains names, types, references, uniqueness, indexes, rules and defaults. It does not contain names
    /// and spellings in datasets, titles, earlier names (`renamedFrom`) or the code of Swift types. Rules and defaults
    /// are texts for comparison only; a model cannot be restored from them.
    ///
    /// - Returns: The text in one line, with sorted keys.
    /// - Throws: `EncodingError`; no valid model is known to cause it.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(ModelImage(self)), as: UTF8.self)
    }

    /// Returns the differences between the recorded model of a store and this model, one sentence each.
    ///
    /// The array is empty if there are no differences.
    ///
    /// The sentences are for people and logs. They do not report what a migration would do; ``ModelMapping`` does.
    ///
    /// - Parameter json: The recorded model, as ``json()`` returned it.
    /// - Returns: Sentences without a period, such as `the entity Note is in the model, not in the store`.
    /// - Throws: `DecodingError` if the text is not the JSON of a model.
    public func differences(fromJSON json: String) throws -> [String] {
        let stored = try JSONDecoder().decode(ModelImage.self, from: Data(json.utf8))
        return ModelImage(self).differences(from: stored, (old: "the store", new: "the model"))
    }

    /// Returns the differences between an earlier model and this model, one sentence each; empty if there are none.
    package func differences(from old: ManagedObjectModel) -> [String] {
        ModelImage(self).differences(from: ModelImage(old), (old: "the old model", new: "the new one"))
    }

    /// Returns the name of each property of an entity with a summary of its description, in declaration order.
    package func summaries(of entity: EntityDescription) -> [(name: String, summary: String)] {
        entity.properties.map { ($0.name, ModelImage.Property($0, of: entity).summary) }
    }

    /// Returns a hash of each entity, by its name; two entities with equal hashes are equal in all that a store depends
    /// on.
    ///
    /// Compare the hashes of two models to find the entities that differ, without comparing every property.
    ///
    /// - Returns: For each entity, a hash as 16 hexadecimal digits. It is stable across processes and machines.
    /// - Throws: `EncodingError`; no valid model is known to cause it.
    public func entityHashes() throws -> [String: String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var hashes: [String: String] = [:]
        for entity in ModelImage(self).entities {
            hashes[entity.name] = Self.fingerprint(try encoder.encode(entity))
        }
        return hashes
    }

    /// Returns a hash of the model; two models with equal hashes are equal in all that a store depends on.
    ///
    /// Names in datasets, and descriptions for people, do not affect the hash.
    ///
    /// Use the hash to name the version of a model in logs, or to test that a release does not change the model
    /// unintentionally. It is stable across processes and machines. It is not a cryptographic hash.
    ///
    /// - Returns: The hash as 16 hexadecimal digits.
    /// - Throws: `EncodingError`; no valid model is known to cause it.
    public func versionHash() throws -> String { Self.fingerprint(Data(try json().utf8)) }

    private static func fingerprint(_ bytes: Data) -> String {
        let digits = String(StableHash.fnv1a(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
