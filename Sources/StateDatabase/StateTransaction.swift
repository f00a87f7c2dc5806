public import Foundation
import GRDB

/// The documents of a state file during one transaction; do not keep it longer.
public struct StateTransaction {
  let database: Database

  /// The body of a document, nil if it does not exist.
  public func body(kind: String, id: String) throws -> Data? {
    try Data.fetchOne(
      database, sql: "SELECT body FROM documents WHERE kind = ? AND id = ?", arguments: [kind, id])
  }

  /// The ids of all documents of a kind, in order.
  public func ids(kind: String) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT id FROM documents WHERE kind = ? ORDER BY id", arguments: [kind])
  }

  /// The kinds of all documents, in order.
  public func kinds() throws -> [String] {
    try String.fetchAll(database, sql: "SELECT DISTINCT kind FROM documents ORDER BY kind")
  }

  /// Writes a document, replacing one with the same kind and id.
  public func put(kind: String, id: String, body: Data) throws {
    try database.execute(
      sql: """
        INSERT INTO documents (kind, id, body) VALUES (?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body
        """,
      arguments: [kind, id, body])
  }

  /// Removes a document, if it exists.
  public func remove(kind: String, id: String) throws {
    try database.execute(
      sql: "DELETE FROM documents WHERE kind = ? AND id = ?", arguments: [kind, id])
  }

  /// A document read from JSON, nil if it does not exist.
  public func value<Value: Decodable>(
    _ type: Value.Type, kind: String, id: String
  ) throws -> Value? {
    try body(kind: kind, id: id).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Writes a document as JSON; the same value always gives the same bytes.
  public func put(kind: String, id: String, value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try put(kind: kind, id: id, body: try encoder.encode(value))
  }
}
