// SQLite, and SpatiaLite bound when first used.
//
// libspatialite drags some fifty libraries in with it, 12 ms at every start, and gives SQL access to
// files. Only creating a store needs it: the R*Tree is SQLite's own and a point's BLOB has a fixed
// layout.
#ifndef CSPATIALITE_H
#define CSPATIALITE_H

#include <sqlite3.h>
#include <stddef.h>

/// Registers SpatiaLite's SQL functions on `connection` until it closes. Returns SQLite's result code,
/// `SQLITE_ERROR` if the library cannot be loaded.
int cspatialite_attach(sqlite3 *connection);

/// Why the library cannot be loaded; an empty string if it can.
const char *cspatialite_failure(void);

/// As `sqlite3_db_config` for an option that is on or off, which Swift cannot call for its variable
/// arguments.
static inline int cspatialite_configure(sqlite3 *connection, int option, int isOn) {
  return sqlite3_db_config(connection, option, isOn, NULL);
}

/// As `sqlite3_bind_text`, copying the text. (SQLITE_TRANSIENT is a macro Swift cannot see.)
static inline int cspatialite_bind_text(sqlite3_stmt *statement, int index, const void *text,
                                        int length) {
  if (length == 0) return sqlite3_bind_text(statement, index, "", 0, SQLITE_STATIC);
  return sqlite3_bind_text(statement, index, (const char *)text, length, SQLITE_TRANSIENT);
}

/// As `sqlite3_bind_blob`, copying the bytes.
static inline int cspatialite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                        int length) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/// How many bytes SQLite's file header has.
enum { CSPATIALITE_HEADER_BYTES = 100 };

/// Reads the header of a connection's main database file into `header`, by SQLite's own handle of
/// it: a file that is opened a second time loses the process's locks when it is closed. Returns
/// SQLite's result code.
static inline int cspatialite_read_header(sqlite3 *connection, unsigned char *header) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_ERROR;
  return file->pMethods->xRead(file, header, CSPATIALITE_HEADER_BYTES, 0);
}

#endif
