/// Two models differ, which was said.
struct DifferentModels: Error {}
