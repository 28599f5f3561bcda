import Foundation
import StrataCore
import StrataPersistence
import StrataTestSupport

/// The edits of a random walk: each changes the model and the expected rows.
extension MigrationWorld {
    mutating func edit() {
        switch Int.random(in: 0..<15, using: &random) {
        case 0: addEntity(fills: false)
        case 1: removeEntity()
        case 2: renameEntity()
        case 3, 4: addAttribute()
        case 5: removeAttribute()
        case 6: renameAttribute()
        case 7: convertAttribute()
        case 8: changeOptionality()
        case 9: changeKeys()
        case 10: reorder()
        case 11: addRelation(fills: false)
        case 12: removeRelation()
        case 13: renameRelation()
        default: changeRelation()
        }
    }

    private mutating func index<Element>(_ elements: [Element]) -> Int? {
        elements.isEmpty ? nil : Int.random(in: 0..<elements.count, using: &random)
    }

    // MARK: Entities

    mutating func addEntity(fills: Bool) {
        let key = key()
        entities.append(Entity(key: key, names: ["E\(key)"], attributes: []))
        for _ in 0..<Int.random(in: 1...4, using: &random) { addAttribute(to: entities.count - 1) }
        guard fills else { return }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let id = Int64.random(in: 1...12, using: &random)
            var values: [Int: StoredValue] = [:]
            for attribute in entities[entities.count - 1].attributes {
                values[attribute.key] = attribute.isOptional && one(in: 3) ? .null : value(attribute.type)
            }
            rows[key, default: [:]][id] = values
        }
    }

    private mutating func removeEntity() {
        guard entities.count > 1, let index = index(entities) else { return }
        let key = entities[index].key
        for relation in relations where relation.owner == key || relation.target == key { remove(relation) }
        entities.remove(at: index)
        rows[key] = nil
    }

    private mutating func renameEntity() {
        guard let index = index(entities) else { return }
        entities[index].names.insert("E\(key())", at: 0)
    }

    private mutating func reorder() {
        if one(in: 2) { entities.shuffle(using: &random) }
        guard let index = index(entities) else { return }
        entities[index].order.shuffle(using: &random)
    }

    // MARK: Attributes

    private mutating func addAttribute() {
        guard let index = index(entities) else { return }
        addAttribute(to: index)
    }

    private mutating func addAttribute(to index: Int) {
        let type = Self.types[Int.random(in: 0..<Self.types.count, using: &random)]
        var attribute = Attribute(
            key: key(), names: [], type: type, isOptional: one(in: 2), isIndexed: one(in: 4))
        attribute.names = ["a\(attribute.key)"]
        if !attribute.isOptional || one(in: 3) { attribute.defaultValue = value(type) }
        // An attribute that was filled in existing rows does not become mandatory again.
        attribute.wasFilled = attribute.defaultValue != nil
        entities[index].attributes.append(attribute)
        entities[index].order.append(attribute.key)
        for id in rows[entities[index].key, default: [:]].keys {
            rows[entities[index].key]?[id]?[attribute.key] = attribute.defaultValue ?? .null
        }
    }

    private mutating func attribute() -> (entity: Int, attribute: Int)? {
        guard let entity = index(entities), let attribute = index(entities[entity].attributes) else { return nil }
        return (entity, attribute)
    }

    private mutating func removeAttribute() {
        guard let (entity, index) = attribute() else { return }
        let key = entities[entity].attributes.remove(at: index).key
        entities[entity].order.removeAll { $0 == key }
        for id in rows[entities[entity].key, default: [:]].keys { rows[entities[entity].key]?[id]?[key] = nil }
    }

    private mutating func renameAttribute() {
        guard let (entity, index) = attribute() else { return }
        let key = key()
        entities[entity].attributes[index].names.insert(one(in: 4) ? "A\(key)" : "a\(key)", at: 0)
    }

    private mutating func convertAttribute() {
        guard let (entity, index) = attribute() else { return }
        let old = entities[entity].attributes[index]
        guard !old.wasConverted, !old.isUnique else { return }
        let targets: [AttributeType] =
            switch old.type {
            case .integer16: [.integer32, .integer64, .decimal(scale: 3), .double, .string]
            case .integer32, .integer64: [.integer16, .decimal(scale: 0), .double, .string]
            case .boolean: [.integer16, .string, .decimal(scale: 1)]
            case .decimal: [.decimal(scale: 5), .string]
            default: [.string]
            }
        let type = targets[Int.random(in: 0..<targets.count, using: &random)]
        guard type != old.type else { return }
        func converted(_ value: StoredValue) -> StoredValue { Self.convert(value, to: type) }
        entities[entity].attributes[index].type = type
        entities[entity].attributes[index].wasConverted = true
        entities[entity].attributes[index].rules = []
        entities[entity].attributes[index].defaultValue = old.defaultValue.map(converted)
        for (id, row) in rows[entities[entity].key, default: [:]] {
            rows[entities[entity].key]?[id]?[old.key] = row[old.key].map(converted)
        }
    }

    /// Returns the value in another type, converted without the module.
    private static func convert(_ value: StoredValue, to type: AttributeType) -> StoredValue {
        switch (value, type) {
        case (.null, _): .null
        case (.integer(let number), .decimal(let scale)):
            .decimal(ScaledDecimal(unscaled: number * Int64(pow(10, Double(scale))), scale: scale))
        case (.integer(let number), .double): .double(Double(number))
        case (.boolean(let isTrue), .integer16): .integer(isTrue ? 1 : 0)
        case (.boolean(let isTrue), .decimal(let scale)):
            .decimal(ScaledDecimal(unscaled: isTrue ? Int64(pow(10, Double(scale))) : 0, scale: scale))
        case (.decimal(let number), .decimal(let scale)):
            .decimal(
                ScaledDecimal(unscaled: number.unscaled * Int64(pow(10, Double(scale - number.scale))), scale: scale))
        case (.binary(let bytes), .string): .string(bytes.base64EncodedString())
        case (.double(let number), .string): .string("\(number)")
        case (.date, .string), (.timeOfDay, .string), (.day, .string), (.uuid, .string), (.decimal, .string),
            (.boolean, .string),
            (.integer, .string):
            .string(value.description)
        default: value
        }
    }

    private mutating func changeOptionality() {
        guard let (entity, index) = attribute() else { return }
        let attribute = entities[entity].attributes[index]
        if !attribute.isOptional {
            // A null that was filled does not become null again.
            guard !attribute.wasFilled else { return }
            entities[entity].attributes[index].isOptional = true
            return
        }
        guard !attribute.isUnique, !attribute.wasFilled else { return }
        let filler = value(attribute.type)
        entities[entity].attributes[index].isOptional = false
        entities[entity].attributes[index].defaultValue = filler
        entities[entity].attributes[index].wasFilled = true
        for (id, row) in rows[entities[entity].key, default: [:]] where row[attribute.key]?.isNull == true {
            rows[entities[entity].key]?[id]?[attribute.key] = filler
        }
    }

    private mutating func changeKeys() {
        guard let (entity, index) = attribute() else { return }
        let attribute = entities[entity].attributes[index]
        if one(in: 2) {
            entities[entity].attributes[index].isIndexed.toggle()
        } else if attribute.isUnique {
            entities[entity].attributes[index].isUnique = false
        } else {
            let values = rows[entities[entity].key, default: [:]].values.compactMap { $0[attribute.key] }
                .filter { !$0.isNull }
            guard Set(values).count == values.count, attribute.defaultValue == nil, !attribute.wasConverted else {
                return
            }
            entities[entity].attributes[index].isUnique = true
        }
    }

    // MARK: Relationships

    mutating func addRelation(fills: Bool) {
        guard let owner = index(entities), let target = index(entities) else { return }
        let (key, inverse) = (key(), key())
        let kinds: [Kind] = [.toOne, .oneToOne(isKeptAtOwner: one(in: 2)), .many(isOrdered: one(in: 2))]
        let relation = Relation(
            key: key, inverseKey: inverse, owner: entities[owner].key, target: entities[target].key,
            names: ["r\(key)"], inverseNames: ["r\(inverse)"], kind: kinds[Int.random(in: 0..<3, using: &random)])
        relations.append(relation)
        entities[owner].order.append(key)
        entities[target].order.append(inverse)
        guard fills else { return }
        let owners = rows[relation.owner, default: [:]].keys.sorted()
        var targets = rows[relation.target, default: [:]].keys.sorted()
        for id in owners {
            for _ in 0..<(relation.isMany ? 3 : 1) where !targets.isEmpty && !one(in: 3) {
                let place = Int.random(in: 0..<targets.count, using: &random)
                links[key, default: []].insert([id, targets[place]])
                if relation.isOneToOne { targets.remove(at: place) }
            }
        }
    }

    private mutating func removeRelation() {
        guard let index = index(relations) else { return }
        remove(relations[index])
    }

    private mutating func remove(_ relation: Relation) {
        relations.removeAll { $0.key == relation.key }
        links[relation.key] = nil
        for index in entities.indices {
            entities[index].order.removeAll { $0 == relation.key || $0 == relation.inverseKey }
        }
    }

    private mutating func renameRelation() {
        guard let index = index(relations) else { return }
        let name = "r\(key())"
        if one(in: 2) {
            relations[index].names.insert(name, at: 0)
        } else {
            relations[index].inverseNames.insert(name, at: 0)
        }
    }

    private mutating func changeRelation() {
        guard let index = index(relations) else { return }
        let relation = relations[index]
        switch relation.kind {
        case .toOne:
            let targets = links[relation.key, default: []].map { $0[1] }
            if one(in: 2), Set(targets).count == targets.count {
                relations[index].kind = .oneToOne(isKeptAtOwner: true)
            } else {
                relations[index].kind = .many(isOrdered: one(in: 2))
                relations[index].wasReordered = true
            }
        case .oneToOne(let isKeptAtOwner):
            relations[index].kind = isKeptAtOwner && one(in: 2) ? .toOne : .oneToOne(isKeptAtOwner: !isKeptAtOwner)
        case .many(let isOrdered):
            guard !relation.wasReordered else { return }
            relations[index].kind = .many(isOrdered: !isOrdered)
            relations[index].wasReordered = true
        }
    }
}
