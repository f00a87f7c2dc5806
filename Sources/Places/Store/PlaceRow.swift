import Formats
import Geodesy

/// How a place stands in a row of the table.
enum PlaceRow {
  /// The columns that ``place(in:)`` reads.
  static let select = """
    SELECT key, id, title, blurb, url, category, priority, geometry, radius, published, expires
    FROM places
    """

  /// The place of a statement's row, or nil where an edit has left it without a valid position.
  static func place(in row: SQLiteStatement) -> Place? {
    guard let coordinate = row.withBlob(7, PointBlob.decode), coordinate.isValid else {
      return nil
    }
    return Place(
      key: row.integer(0), id: row.string(1), title: row.string(2), blurb: row.string(3),
      url: row.string(4), category: row.string(5), priority: Int(row.integer(6)),
      coordinate: coordinate, radiusMeters: row.double(8),
      publishedMilliseconds: instant(in: row, at: 9), expiresMilliseconds: instant(in: row, at: 10))
  }

  private static func instant(in row: SQLiteStatement, at column: Int32) -> Int64? {
    guard !row.isNull(column) else { return nil }
    return ISO8601.milliseconds(parsing: row.string(column))
  }
}
