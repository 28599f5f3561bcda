import StrataCore

/// What datasets and people call a property, and how files hold it.
extension RecordProperty {
    /// The same property with what datasets call it, and how they spell its values.
    ///
    /// ```swift
    /// .attribute("mail", \.mail).external("e-mail").format(.email).renamed(from: "eMail", "address"),
    /// ```
    ///
    /// - Parameters:
    ///   - name: The column's name, any text; `nil` is the property's.
    ///   - spelling: How an attribute's values are spelled.
    /// - Returns: The property; of a relationship without a column, or with a spelling of a relationship, no model can be made.
    public func external(_ name: String?, spelling: ExternalSpelling = ExternalSpelling()) -> RecordProperty {
        changed("what files call a column is for attributes and to-one relationships that have one") { property in
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

    /// The same to-one relationship, to whose objects datasets refer by a key of theirs and not by identifiers.
    ///
    /// - Parameter key: What is unique of the destination, and what files call the columns; checked when a model is made.
    /// - Returns: The property; of anything else no model can be made.
    public func external(key: ExternalKey) -> RecordProperty {
        changed("a key to refer by is for to-one relationships") { property in
            guard case .relationship(var relationship) = property, relationship.cardinality == .toOne else {
                return false
            }
            relationship.externalKey = key
            property = .relationship(relationship)
            return true
        }
    }

    /// The same many-to-many relationship, whose pairs datasets have in a table of their own or as a list in a column.
    ///
    /// - Parameter link: Where files have the pairs; checked when a model is made.
    /// - Returns: The property; of anything else no model can be made.
    public func external(link: ExternalLink) -> RecordProperty {
        changed("a table or list of pairs is for to-many relationships") { property in
            guard case .relationship(var relationship) = property, relationship.cardinality == .toMany else {
                return false
            }
            relationship.externalLink = link
            property = .relationship(relationship)
            return true
        }
    }

    /// The same attribute with words for people, which help, reports and documentation show.
    ///
    /// - Parameters:
    ///   - title: A few words on what the values are.
    ///   - explanation: More words.
    /// - Returns: The property; of a relationship no model can be made.
    public func titled(_ title: String?, _ explanation: String? = nil) -> RecordProperty {
        attribute("a title is for attributes") { attribute in
            (attribute.title, attribute.explanation) = (title, explanation)
            return true
        }
    }

    /// The same attribute of texts, held to a form: ``TextFormat``.
    ///
    /// - Parameter format: The form.
    /// - Returns: The property; of what is no text, or has the rule of a Swift type, no model can be made.
    public func format(_ format: TextFormat) -> RecordProperty {
        attribute("a form is for attributes of texts without a rule of their own type") { attribute in
            guard attribute.type == .string, attribute.domain == nil else { return false }
            attribute.domain = format.domain
            return true
        }
    }

    /// The same property with what it was called in earlier versions of the model, so that stores of those follow.
    ///
    /// - Parameter names: The earlier names; a store has one of them, of whichever version it is.
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

    /// The same attribute with values of earlier versions of the model, such as the raw values of renamed cases.
    ///
    /// ```swift
    /// .attribute("color", \.color).renamedValues(["blue": Color.azure])
    /// ```
    ///
    /// If a store was not opened with the declaration before, opening it gives its rows the new values. Where one value was renamed twice, both
    /// earlier values lead to the present one.
    ///
    /// - Parameter values: The earlier values as they are stored, each with the value in its place.
    /// - Returns: The property; of a relationship, or of a value without a stored form, no model can be made.
    public func renamedValues<Earlier: AttributeValue, Value: AttributeValue>(
        _ values: KeyValuePairs<Earlier, Value>
    ) -> RecordProperty {
        attribute("renamed values are for attributes, and have a stored form") { attribute in
            let renamed = values.compactMap { earlier, value in
                // A value without a stored form is missed below.
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

    /// The property with another description, or the note that it was asked for what it cannot have.
    private func changed(
        _ misuse: String, _ change: (inout EntityDescription.Property) -> Bool
    ) -> RecordProperty {
        var property = self
        if !change(&property.description) { property.misuse = misuse }
        return property
    }
}
