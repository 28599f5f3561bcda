import StrataCore

/// The external names of a property for datasets and people, and the form of its values in files.
extension RecordProperty {
    /// Returns the same property with its name in datasets and the spelling of its values.
    ///
    /// ```swift
    /// .attribute("mail", \.mail).external("e-mail").format(.email).renamed(from: "eMail", "address"),
    /// ```
    ///
    /// - Parameters:
    ///   - name: The column's name, which may be any text; `nil` is the property's name.
    ///   - spelling: The spelling of an attribute's values.
    /// - Returns: The property. A model cannot be created with a relationship without a column, or with a spelling for
    ///   a relationship.
    public func external(_ name: String?, spelling: ExternalSpelling = ExternalSpelling()) -> RecordProperty {
        changed("an external name can be set only for attributes and to-one relationships with a column") { property in
            switch property {
            case .attribute(var attribute):
                (attribute.externalName, attribute.spelling) = (name, spelling)
                property = .attribute(attribute)
            case .relationship(var relationship):
                guard relationship.cardinality == .toOne, spelling.isUsual else { return false }
                relationship.externalName = name
                property = .relationship(relationship)
            }
            return true
        }
    }

    /// Returns the same to-one relationship, to whose objects datasets refer by an external key instead of identifiers.
    ///
    /// - Parameter key: The unique attributes of the destination and the names of their columns in files; they are
    ///   checked when a model is created.
    /// - Returns: The property. A model cannot be created if the property is not a to-one relationship.
    public func external(key: ExternalKey) -> RecordProperty {
        changed("a reference key can be declared only for a to-one relationship") { property in
            guard case .relationship(var relationship) = property, relationship.cardinality == .toOne else {
                return false
            }
            relationship.externalKey = key
            property = .relationship(relationship)
            return true
        }
    }

    /// Returns the same many-to-many relationship with the location of its join rows in datasets.
    ///
    /// The join rows are in a separate table, or in a list column.
    ///
    /// - Parameter link: The location of the join rows in files; it is checked when a model is created.
    /// - Returns: The property. A model cannot be created if the property is not a to-many relationship.
    public func external(link: ExternalLink) -> RecordProperty {
        changed("a table or list of join rows can be declared only for to-many relationships") { property in
            guard case .relationship(var relationship) = property, relationship.cardinality == .toMany else {
                return false
            }
            relationship.externalLink = link
            property = .relationship(relationship)
            return true
        }
    }

    /// Returns the same attribute with texts for people, which help, reports and documentation show.
    ///
    /// - Parameters:
    ///   - title: A short description of the values.
    ///   - explanation: A longer description.
    /// - Returns: The property. A model cannot be created if the property is a relationship.
    public func titled(_ title: String?, _ explanation: String? = nil) -> RecordProperty {
        attribute("a title can be set only for attributes") { attribute in
            (attribute.title, attribute.explanation) = (title, explanation)
            return true
        }
    }

    /// Returns the same string attribute with a required format: ``TextFormat``.
    ///
    /// - Parameter format: The format.
    /// - Returns: The property. A model cannot be created if the property is not a string attribute, or if it has the
    ///   rule of a Swift type.
    public func format(_ format: TextFormat) -> RecordProperty {
        attribute("a form can be set only for text attributes without a rule of their own type") { attribute in
            guard attribute.type == .string, attribute.domain == nil else { return false }
            attribute.domain = format.domain
            return true
        }
    }

    /// Returns the same property with its names in earlier versions of the model.
    ///
    /// Stores of the earlier versions are migrated when they are opened.
    ///
    /// - Parameter names: The earlier names. A store of any version has one of them.
    /// - Returns: The property.
    public func renamed(from names: String...) -> RecordProperty {
        changed("") { property in
            switch property {
            case .attribute(var attribute):
                attribute.renamedFrom = names
                property = .attribute(attribute)
            case .relationship(var relationship):
                relationship.renamedFrom = names
                property = .relationship(relationship)
            }
            return true
        }
    }

    /// Returns the same attribute with replaced values of earlier versions of the model.
    ///
    /// For example, these are the raw values of renamed cases.
    ///
    /// ```swift
    /// .attribute("color", \.color).renamedValues(["blue": Color.azure])
    /// ```
    ///
    /// If a store was not opened with the declaration before, opening it updates its rows to the new values. If one
    /// value was renamed twice, declare the current value for both earlier values.
    ///
    /// - Parameter values: The earlier stored values, each with its replacement.
    /// - Returns: The property. A model cannot be created if the property is a relationship, or if a value has no
    ///   stored form.
    public func renamedValues<Earlier: AttributeValue, Value: AttributeValue>(
        _ values: KeyValuePairs<Earlier, Value>
    ) -> RecordProperty {
        attribute("renamed values can be declared only for attributes, and must have a stored form") { attribute in
            let renamed = values.compactMap { earlier, value in
                // The comparison of the counts below detects a value without a stored form.
                (try? earlier.storedValue()).flatMap { from in
                    (try? value.storedValue()).map { RenamedValue(from: from, to: $0) }
                }
            }
            attribute.renamedValues = renamed
            return renamed.count == values.count
        }
    }

    private func attribute(
        _ misuse: String, _ change: (inout AttributeDescription) -> Bool
    ) -> RecordProperty {
        changed(misuse) { property in
            guard case .attribute(var attribute) = property, change(&attribute) else { return false }
            property = .attribute(attribute)
            return true
        }
    }

    /// Returns the property with a changed description, or with a note that the property does not support the change.
    private func changed(
        _ misuse: String, _ change: (inout EntityDescription.Property) -> Bool
    ) -> RecordProperty {
        var property = self
        if !change(&property.description) { property.misuse = misuse }
        return property
    }
}
