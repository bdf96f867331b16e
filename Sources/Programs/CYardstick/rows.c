#include "yardstick.h"

#include <sqlite3.h>
#include <stdio.h>

int yardstick_make_rows(const char *path, size_t count) {
    sqlite3 *file = NULL;
    int result = sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (result == SQLITE_OK) {
        char sql[256];
        snprintf(sql, sizeof sql,
                 "CREATE TABLE rows (name TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID;"
                 "INSERT INTO rows WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %zu)"
                 " SELECT 'key ' || i, randomblob(72) FROM n;",
                 count);
        result = sqlite3_exec(file, sql, NULL, NULL, NULL);
    }
    sqlite3_close(file);
    return result == SQLITE_OK ? 0 : -1;
}

int yardstick_look_up(const char *path, const char *name) {
    sqlite3 *file = NULL;
    sqlite3_stmt *query = NULL;
    int count = -1;
    if (sqlite3_open_v2(path, &file, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(file, "SELECT bytes FROM rows WHERE name = ?", -1, &query, NULL) == SQLITE_OK &&
        sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) {
        count = sqlite3_column_bytes(query, 0);
    }
    sqlite3_finalize(query);
    sqlite3_close(file);
    return count;
}

int yardstick_json_valid(const char *json, size_t count) {
    static sqlite3 *file;
    static sqlite3_stmt *query;
    if (!query && (sqlite3_open_v2(":memory:", &file, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
                   sqlite3_prepare_v2(file, "SELECT json_valid(?)", -1, &query, NULL) != SQLITE_OK))
        return -1;
    int valid = sqlite3_bind_text(query, 1, json, (int)count, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW && sqlite3_column_int(query, 0);
    return sqlite3_reset(query) == SQLITE_OK && valid ? 0 : -1;
}
