import StrataCore

/// The names of a property in datasets and texts for people, and the spelling of its values in files.
extension RecordProperty {
    /// Returns the same property with its name in datasets and the spelling of its values.
    ///
    /// ```swift
    /// .attribute("mail", \.mail).external("e-mail").format(.email).renamed(from: "eMail", "address"),
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the column in datasets, which may be any text; `nil` uses the property's name.
    ///   - spelling: The spelling of an attribute's values in datasets.
    /// - Returns: The property. If it is a relationship without a column, or a relationship with a spelling, no model
    ///   can be created with it.
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

    /// Returns the same to-one relationship, for which datasets contain an external key of the related object instead
    /// of its identifier.
    ///
    /// - Parameter key: The unique attributes of the destination, with the names of their columns in files; they are
    ///   checked when a model is created.
    /// - Returns: The property. If it is not a to-one relationship, no model can be created with it.
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
    /// In a dataset, join rows are in a separate table or in a list column.
    ///
    /// - Parameter link: The location of the join rows in datasets; it is checked when a model is created.
    /// - Returns: The property. If it is not a to-many relationship, no model can be created with it.
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

    /// Returns the same attribute with texts for people, which appear in help, reports and documentation.
    ///
    /// - Parameters:
    ///   - title: A short description of the attribute's values.
    ///   - explanation: A longer description of the attribute's values.
    /// - Returns: The property. If it is a relationship, no model can be created with it.
    public func titled(_ title: String?, _ explanation: String? = nil) -> RecordProperty {
        attribute("a title can be set only for attributes") { attribute in
            (attribute.title, attribute.explanation) = (title, explanation)
            return true
        }
    }

    /// Returns the same string attribute with a required format: ``TextFormat``.
    ///
    /// - Parameter format: The format that every value must have.
    /// - Returns: The property. If it is not a string attribute, or if its Swift type has a rule, no model can be
    ///   created with it.
    public func format(_ format: TextFormat) -> RecordProperty {
        attribute("a form can be set only for text attributes without a rule of their own type") { attribute in
            guard attribute.type == .string, attribute.domain == nil else { return false }
            attribute.domain = format.domain
            return true
        }
    }

    /// Returns the same property with its names in earlier versions of the model.
    ///
    /// Stores with an earlier version of the model are migrated when they are opened.
    ///
    /// - Parameter names: The earlier names. In a store of an earlier version, the property has one of them.
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

    /// Returns the same attribute with replacements for values that earlier versions of the model stored.
    ///
    /// For example, replace the raw values of renamed enumeration cases.
    ///
    /// ```swift
    /// .attribute("color", \.color).renamedValues(["blue": Color.azure])
    /// ```
    ///
    /// When a store is first opened with this declaration, its rows are updated to the new values. If a value was
    /// renamed twice, declare the current value as the replacement for both earlier values.
    ///
    /// - Parameter values: The earlier stored values, each with its replacement.
    /// - Returns: The property. If it is a relationship, or if a value has no stored form, no model can be created with
    ///   it.
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

    /// Returns the property with a changed description; if the change is invalid for the property, with the reason in
    /// `misuse`.
    private func changed(
        _ misuse: String, _ change: (inout EntityDescription.Property) -> Bool
    ) -> RecordProperty {
        var property = self
        if !change(&property.description) { property.misuse = misuse }
        return property
    }
}
