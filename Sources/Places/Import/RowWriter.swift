import Formats
import Geodesy

/// Writes staged rows into the table of places, so many in each run of its statement.
final class RowWriter {
  /// What is done with rows.
  enum Action {
    /// They are new, and SQLite numbers them.
    case insert
    /// They replace what has their key and id.
    case update
  }

  private static let columns = [
    "id", "title", "category", "priority", "published", "expires", "url", "blurb", "geometry",
    "radius",
  ]

  /// How many rows one run writes.
  let rowCount: Int
  private let connection: SQLiteConnection
  private let statement: SQLiteStatement
  /// The geometries of a run, one after the other.
  private var blobs: [UInt8]
  /// Whether a parameter of a time has had a value; before, all of them are null.
  private var hasTimes = false

  /// Makes a statement ready.
  ///
  /// - Parameters:
  ///   - connection: The connection, within a transaction.
  ///   - action: What is done with rows.
  ///   - rowCount: How many of them one run writes; those of an update, one.
  /// - Throws: ``PlaceStoreError``.
  init(
    _ connection: SQLiteConnection, _ action: Action, rowCount: Int = 1
  ) throws(PlaceStoreError) {
    self.connection = connection
    self.rowCount = rowCount
    blobs = [UInt8](repeating: 0, count: rowCount * PointBlob.byteCount)
    statement = try connection.prepare(RowWriter.sql(action, rowCount: rowCount))
  }

  private static func sql(_ action: Action, rowCount: Int) -> String {
    switch action {
    case .insert:
      let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
      return "INSERT INTO places (\(columns.joined(separator: ", "))) VALUES "
        + repeatElement(row, count: rowCount).joined(separator: ", ")
    case .update:
      let values = columns.enumerated().map { "\($1) = ?\($0 + 1)" }.dropFirst()
      return "UPDATE places SET \(values.joined(separator: ", "))"
        + " WHERE id = ?1 AND key = ?\(columns.count + 1)"
    }
  }

  /// Writes rows whose texts are in memory.
  ///
  /// - Parameters:
  ///   - places: What has the rows.
  ///   - row: The first of them; there must be ``rowCount``.
  ///   - key: The key of a row that is updated.
  /// - Throws: ``PlaceStoreError``.
  func write(
    _ places: borrowing StagedPlaces, firstRow row: Int, key: Int64? = nil
  ) throws(PlaceStoreError) {
    RowWriter.encodeGeometries(places, row..<row + rowCount, into: &blobs)
    if let key { statement.bind(key, at: Int32(RowWriter.columns.count + 1)) }
    // SQLite reads texts and geometries where they are, until the statement has run, which it has when
    // the closures return; to have them copied costs more than to store them.
    try places.withTexts { (texts) throws(PlaceStoreError) in
      try unsafe texts.withUnsafeBufferPointer { (texts) throws(PlaceStoreError) in
        try unsafe blobs.withUnsafeBufferPointer { (blobs) throws(PlaceStoreError) in
          var parameter: Int32 = 1
          for index in 0..<rowCount {
            unsafe bindTexts(places.texts(ofRow: row + index), in: texts, at: parameter)
            let blob = index * PointBlob.byteCount..<(index + 1) * PointBlob.byteCount
            unsafe statement.bind(
              keptBlob: UnsafeBufferPointer(rebasing: blobs[blob]), at: parameter + 8)
            statement.bind(places.rows[row + index].radiusMeters, at: parameter + 9)
            parameter += Int32(RowWriter.columns.count)
          }
          try statement.run()
        }
      }
    }
    try connection.requireTransaction()
  }

  private static func encodeGeometries(
    _ places: borrowing StagedPlaces, _ rows: Range<Int>, into blobs: inout [UInt8]
  ) {
    var span = blobs.mutableSpan
    // The bytes of a point are bytes like any others.
    var bytes = unsafe span.mutableBytes
    var start = 0
    for row in rows {
      let place = places.rows[row]
      PointBlob.write(
        Coordinate(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude),
        into: &bytes, at: start)
      start += PointBlob.byteCount
    }
  }

  /// Binds a row's texts to the parameters from one on, which are in the same order.
  @inline(__always)
  private func bindTexts(
    _ texts: TextSpool.Texts, in bytes: UnsafeBufferPointer<UInt8>, at parameter: Int32
  ) {
    // The caller keeps the bytes, of which all these are ranges.
    var texts = texts
    for index in 0 as Int32..<3 {
      unsafe statement.bind(keptText: texts.next(in: bytes.span), of: bytes, at: parameter + index)
    }
    // Staged is a whole number of 32 bits, or nothing.
    let priority = unsafe bytes.span.extracting(texts.next(in: bytes.span))
    statement.bind(Int64(DecimalNumber.double(parsing: priority) ?? 0), at: parameter + 3)
    for index in 4 as Int32..<6 {
      let time = unsafe texts.next(in: bytes.span)
      if !time.isEmpty {
        hasTimes = true
        unsafe statement.bind(keptText: time, of: bytes, at: parameter + index)
      } else if hasTimes {
        statement.bindNull(at: parameter + index)
      }
    }
    for index in 6 as Int32..<8 {
      unsafe statement.bind(keptText: texts.next(in: bytes.span), of: bytes, at: parameter + index)
    }
  }
}
