/// An error that ends a command after it has reported that a model file is invalid.
struct FaultyModel: Error {}
