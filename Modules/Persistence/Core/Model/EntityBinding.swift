/// What a layer above the model binds to an entity and finds again by the entity's name: the stack its record types.
///
/// The model keeps it and knows nothing of it.
package protocol EntityBinding: AnyObject, Sendable {}
