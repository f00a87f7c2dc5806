public import FencepostStateFile
public import Foundation
import GRDB

/// The documents of a state file during one transaction; do not keep it longer.
public struct StateTransaction {
  let database: Database
  let path: String

  /// The body of a document, nil if it does not exist.
  ///
  /// - Throws: `StateFileError`
  public func body(kind: String, id: String) throws(StateFileError) -> Data? {
    try attempt {
      try Data.fetchOne(
        database, sql: "SELECT body FROM documents WHERE kind = ? AND id = ?",
        arguments: [kind, id])
    }
  }

  /// The ids of all documents of a kind, in order.
  ///
  /// - Throws: `StateFileError`
  public func ids(kind: String) throws(StateFileError) -> [String] {
    try attempt {
      try String.fetchAll(
        database, sql: "SELECT id FROM documents WHERE kind = ? ORDER BY id", arguments: [kind])
    }
  }

  /// The kinds of all documents, in order.
  ///
  /// - Throws: `StateFileError`
  public func kinds() throws(StateFileError) -> [String] {
    try attempt {
      try String.fetchAll(database, sql: "SELECT DISTINCT kind FROM documents ORDER BY kind")
    }
  }

  /// Writes a document, replacing one with the same kind and id.
  ///
  /// - Throws: `StateFileError`
  public func put(kind: String, id: String, body: Data) throws(StateFileError) {
    try attempt {
      try database.execute(
        sql: """
          INSERT INTO documents (kind, id, body) VALUES (?, ?, ?)
          ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body
          """,
        arguments: [kind, id, body])
    }
  }

  /// Removes a document, if it exists.
  ///
  /// - Throws: `StateFileError`
  public func remove(kind: String, id: String) throws(StateFileError) {
    try attempt {
      try database.execute(
        sql: "DELETE FROM documents WHERE kind = ? AND id = ?", arguments: [kind, id])
    }
  }

  /// Turns the database's errors into those that users know.
  private func attempt<Result>(_ body: () throws -> Result) throws(StateFileError) -> Result {
    do {
      return try body()
    } catch {
      throw StateDatabase.error(error, path: path)
    }
  }

  /// A document read from JSON, nil if it does not exist.
  ///
  /// - Throws: `StateFileError`, and what decoding throws: `DecodingError`, or an error of the value's own.
  public func value<Value: Decodable>(
    _ type: Value.Type, kind: String, id: String
  ) throws -> Value? {
    try body(kind: kind, id: id).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Writes a document as JSON; the same value always gives the same bytes.
  ///
  /// - Throws: `StateFileError`, and what encoding throws.
  public func put(kind: String, id: String, value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try put(kind: kind, id: id, body: try encoder.encode(value))
  }
}
