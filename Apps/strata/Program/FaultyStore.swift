/// Ends a check that found faults, which were written already.
struct FaultyStore: Error {}
