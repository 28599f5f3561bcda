#ifndef CSTRATASQLITE_SHIM_H
#define CSTRATASQLITE_SHIM_H

#include <sqlite3.h>

/* Macros made of other macros, which Swift does not import. */
static const int strata_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int strata_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int strata_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int strata_constraint_rowid = SQLITE_CONSTRAINT_ROWID;

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import. */
static inline int strata_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int strata_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* For bytes that stay where they are until the statement is bound anew or reset. */
static inline int strata_bind_static_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int strata_bind_static_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

/* sqlite3_db_config is variadic. A database file is input, not a program: no view or trigger of it is trusted, no trigger
   runs, and a name in double quotes that is no column is an error instead of a text. */
static inline int strata_harden(sqlite3 *database) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
    };
    for (unsigned int index = 0; index < sizeof(settings) / sizeof(settings[0]); index += 1) {
        int result = sqlite3_db_config(database, settings[index][0], settings[index][1], (int *)0);
        if (result != SQLITE_OK) { return result; }
    }
    return SQLITE_OK;
}

#endif
