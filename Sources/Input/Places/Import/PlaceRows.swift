import FencepostFormats
import FencepostGeodesy
import FencepostPlaceList
import FencepostSQLite

/// Writes the accepted rows of an import.
///
/// Those of a new store go right into its table, which nobody else sees yet. Those for a store with
/// places wait in a temporary table, so that reading the files locks nobody out.
final class PlaceRows: PlaceTable {
  /// The table that rows are written into.
  enum Table: String {
    case new = "main.places"
    case waiting = "temp.staged"
  }

  /// The columns of a place, in the order in which they are bound.
  static let columns = [
    "id", "title", "category", "priority", "published", "expires", "url", "blurb", "geometry",
    "radius",
  ]

  /// The fields of the first columns, which hold their texts.
  private static let fields: [PlaceDraft.Field] = [
    .id, .title, .category, .priority, .published, .expires, .url, .blurb,
  ]

  /// Why a row was not written or found; nothing is written from then on.
  private(set) var failure: PlaceStoreError?
  private let insert: Statement
  /// Finds the id and title of a row by its number.
  private let found: Statement

  /// Prepares to write into an empty table.
  init(_ table: Table, on connection: StoreConnection) throws(PlaceStoreError) {
    (insert, found) = try connection.run { database in
      let columns = Self.columns.joined(separator: ", ")
      if table == .waiting {
        try database.execute(
          "CREATE TEMP TABLE staged (number INTEGER PRIMARY KEY, \(columns))")
      }
      let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
      return (
        try Statement(
          "INSERT INTO \(table.rawValue) (\(columns)) VALUES (\(marks))", on: database),
        try Statement("SELECT id, title FROM \(table.rawValue) WHERE rowid = ?1", on: database)
      )
    }
  }

  /// Writes a checked row, or notes why it cannot be written.
  func append(_ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double) {
    guard failure == nil else { return }
    let bytes = draft.bytes.span
    for (index, field) in Self.fields.enumerated() {
      let text = bytes.extracting(draft.range(field))
      let isTime = field == .published || field == .expires
      if isTime, text.isEmpty {
        insert.bindNull(at: Int32(index + 1))
      } else if field == .priority {
        // Already checked to be empty or a 32-bit integer.
        insert.bind(Int64(DecimalNumber.double(parsing: text) ?? 0), at: Int32(index + 1))
      } else {
        insert.bind(text: text, at: Int32(index + 1))
      }
    }
    insert.bind(blob: PointBlob.bytes(coordinate).span, at: 9)
    insert.bind(radiusMeters, at: 10)
    noting { () throws(PlaceStoreError) in while try insert.next() {} }
  }

  /// Reads a row that was written; empty texts after a failure.
  func texts(ofRow row: Int) -> (id: String, title: String) {
    var texts = (id: "", title: "")
    noting { () throws(PlaceStoreError) in
      found.bind(Int64(row + 1), at: 1)
      defer { found.reset() }
      if try found.next() { texts = (found.string(0), found.string(1)) }
    }
    return texts
  }

  /// Runs a step, and keeps the first error, since a table cannot throw.
  private func noting(_ body: () throws(PlaceStoreError) -> Void) {
    do throws(PlaceStoreError) { try body() } catch { failure = failure ?? error }
  }

  /// Throws if a row was not written.
  func check() throws(PlaceStoreError) {
    if let failure { throw failure }
  }
}
