/// A model file is none, which was said.
struct FaultyModel: Error {}
