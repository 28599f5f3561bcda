#ifndef CSTRATASQLITE_SHIM_H
#define CSTRATASQLITE_SHIM_H

#include <sqlite3.h>
#include <stdint.h>

/* Swift does not import these macros, because they are defined by other macros. */
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

static inline void strata_result_text(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void strata_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Binds bytes without a copy. They must not move until the parameter is bound again or the statement is reset. */
static inline int strata_bind_static_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int strata_bind_static_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

/* The kinds of a cell, in the order of RowCells.Kind. */
enum { strata_cell_unknown, strata_cell_null, strata_cell_integer, strata_cell_double, strata_cell_boolean, strata_cell_date, strata_cell_string };

/* Writes a value as two words: its kind, and its bits or the address of its bytes. The upper half of the first word is
   the length of a text. If the value does not have the kind of its column, its kind is unknown. `null` is the kind of a
   null, which is unknown if the column does not allow nulls. */
static inline void strata_read_cell(sqlite3_value *value, uint32_t kind, uint32_t null, int64_t *cell) {
    uint64_t head = strata_cell_unknown;
    union { int64_t integer; double real; } bits = {0};
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL: head = null; break;
    case SQLITE_INTEGER:
        if (kind == strata_cell_integer || kind == strata_cell_boolean) {
            head = kind;
            bits.integer = sqlite3_value_int64(value);
        }
        break;
    case SQLITE_FLOAT:
        if (kind == strata_cell_double || kind == strata_cell_date) {
            head = kind;
            bits.real = sqlite3_value_double(value);
        }
        break;
    case SQLITE_TEXT:
        if (kind == strata_cell_string) {
            const unsigned char *bytes = sqlite3_value_text(value);
            /* If SQLite is out of memory, the kind is unknown. The reader then requests the value again. */
            if (bytes) {
                head = kind | (uint64_t)(uint32_t)sqlite3_value_bytes(value) << 32;
                bits.integer = (int64_t)(intptr_t)bytes;
            }
        }
        break;
    default: break;
    }
    cell[0] = (int64_t)head;
    cell[1] = bits.integer;
}

/* Reads a statement's current row: the words of its identifier and version, and two words for each value. The function
   reads a whole row, because one or two calls from Swift for each value took a fifth of the time of a fetch. */
static inline void strata_read_row(sqlite3_stmt *statement, const uint32_t *kinds, const uint32_t *nulls, int count, int64_t *words) {
    words[0] = sqlite3_column_int64(statement, 0);
    words[1] = sqlite3_column_int64(statement, 1);
    for (int index = 0; index < count; index += 1) {
        strata_read_cell(sqlite3_column_value(statement, index + 2), kinds[index], nulls[index], words + 2 * index + 2);
    }
}

/* Configures a connection for untrusted files; sqlite3_db_config is variadic, so Swift cannot call it. A database file
   is input, not a program. Therefore its views and triggers are not trusted, and triggers do not run. A name in double
   quotes that is not a column is an error instead of a text. */
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

/* Allows a connection to write the texts of its tables, or forbids it again. */
static inline int strata_open_schema(sqlite3 *database, int is_open) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, !is_open, (int *)0);
    if (result != SQLITE_OK) { return result; }
    return sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, is_open, (int *)0);
}

#endif
