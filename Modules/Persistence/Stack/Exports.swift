// A file that imports the stack thereby imports every public name that a model, stores and contexts need.
@_exported public import StrataAtomicStores
@_exported public import StrataCore
@_exported public import StrataInMemory
@_exported public import StrataSQLite

#if PostgreSQL
@_exported public import StrataPostgreSQL
#endif
