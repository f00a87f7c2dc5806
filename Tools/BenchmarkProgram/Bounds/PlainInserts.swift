import FencepostFiles
import FencepostCSpatiaLite
import FencepostFormats

/// Puts the rows of a CSV file of places into a table without any index: the bound of an import.
///
/// Safe, as the two handles of SQLite's are valid from the initialiser until `load` ends them.
/// It reads the file as an importer must, parts the rows at their commas, checks nothing, and
/// stores text as it comes, in one transaction.
@safe struct PlainInserts {
  private let connection: OpaquePointer
  private let statement: OpaquePointer

  init(path: String) throws(BenchmarkFailure) {
    var opened: OpaquePointer?
    guard unsafe sqlite3_open(path, &opened) == SQLITE_OK, let connection = unsafe opened else {
      throw BenchmarkFailure("\(path) cannot be made")
    }
    unsafe self.connection = connection
    let schema = """
      PRAGMA journal_mode = MEMORY;
      CREATE TABLE places (key INTEGER PRIMARY KEY, id TEXT, title TEXT, lat TEXT, lon TEXT,
        radius TEXT, blurb TEXT, url TEXT, category TEXT, priority TEXT);
      BEGIN;
      """
    var prepared: OpaquePointer?
    let insert = """
      INSERT INTO places (id, title, lat, lon, radius, blurb, url, category, priority)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    guard
      unsafe sqlite3_exec(connection, schema, nil, nil, nil) == SQLITE_OK,
      unsafe sqlite3_prepare_v2(connection, insert, -1, &prepared, nil) == SQLITE_OK,
      let statement = unsafe prepared
    else { throw BenchmarkFailure("\(path) cannot be made") }
    unsafe self.statement = statement
  }

  /// Inserts the rows of a file without quotes; returns how many.
  func load(_ csv: String) throws -> Int {
    var source = try ByteSource(path: csv)
    var scanner = LineScanner()
    var chunk: [UInt8] = []
    var count = -1
    while try source.read(into: &chunk) {
      try scanner.scan(chunk.span) { (line, _) throws(BenchmarkFailure) in
        if count >= 0 { try insert(line) }
        count += 1
      }
    }
    guard unsafe sqlite3_exec(connection, "COMMIT", nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkFailure("the rows cannot be stored")
    }
    unsafe sqlite3_finalize(statement)
    unsafe sqlite3_close(connection)
    return count
  }

  private func insert(_ line: Span<UInt8>) throws(BenchmarkFailure) {
    var field: Int32 = 1
    var start = 0
    // SQLite reads the bytes before the line is gone: the row is stored at the end of this call.
    unsafe line.withUnsafeBytes { bytes in
      for index in 0...bytes.count {
        guard unsafe index == bytes.count || bytes[index] == UInt8(ascii: ",") else { continue }
        unsafe sqlite3_bind_text(
          statement, field,
          bytes.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: CChar.self) },
          Int32(index - start), nil)
        field += 1
        start = index + 1
      }
    }
    guard unsafe sqlite3_step(statement) == SQLITE_DONE else {
      throw BenchmarkFailure("a row cannot be stored")
    }
    unsafe sqlite3_reset(statement)
  }
}
