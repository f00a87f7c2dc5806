import FencepostFormats
import GRDB
import FencepostGeodesy

/// Writes staged rows into the table of places, several per run of its statement.
final class RowWriter {
  enum Action {
    /// The rows are new, and SQLite numbers them.
    case insert
    /// A row replaces the place of its key and id.
    case update
  }

  private static let columns = [
    "id", "title", "category", "priority", "published", "expires", "url", "blurb", "geometry",
    "radius",
  ]

  /// How many rows one run writes.
  let rowCount: Int
  private let database: Database
  private let statement: RawStatement
  /// The geometries of a run, one after the other.
  private var blobs: [UInt8]
  /// Whether a time has been bound; until then all times are null.
  private var hasTimes = false

  /// Prepares to write, within a transaction; an update writes one row per run.
  init(
    _ database: Database, _ action: Action, rowCount: Int = 1
  ) throws(PlaceStoreError) {
    self.database = database
    self.rowCount = rowCount
    blobs = [UInt8](repeating: 0, count: rowCount * PointBlob.byteCount)
    statement = try RawStatement(RowWriter.sql(action, rowCount: rowCount), on: database)
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

  /// Writes ``rowCount`` rows, whose texts are in memory.
  ///
  /// - Parameters:
  ///   - places: The staged rows.
  ///   - row: The first row to write.
  ///   - key: The key of a row that is updated.
  /// - Throws: ``PlaceStoreError``.
  func write(
    _ places: borrowing StagedPlaces, firstRow row: Int, key: Int64? = nil
  ) throws(PlaceStoreError) {
    RowWriter.encodeGeometries(places, row..<row + rowCount, into: &blobs)
    if let key { statement.bind(key, at: Int32(RowWriter.columns.count + 1)) }
    // SQLite reads texts and geometries in place until the statement has run, which it has when the
    // closures return; copying them costs more than storing them.
    try unsafe places.texts.memory.withUnsafeBufferPointer { (texts) throws(PlaceStoreError) in
      try unsafe blobs.withUnsafeBufferPointer { (blobs) throws(PlaceStoreError) in
        for index in 0..<rowCount {
          let parameter = Int32(1 + index * RowWriter.columns.count)
          unsafe bindTexts(places.texts.texts(ofRow: row + index), in: texts, at: parameter)
          let blob = index * PointBlob.byteCount..<(index + 1) * PointBlob.byteCount
          unsafe statement.bind(
            keptBlob: UnsafeBufferPointer(rebasing: blobs[blob]), at: parameter + 8)
          statement.bind(places.rows[row + index].radiusMeters, at: parameter + 9)
        }
        try statement.run()
      }
    }
    try database.requireTransaction()
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

  /// Binds a row's texts to consecutive parameters.
  private func bindTexts(
    _ texts: TextSpool.Texts, in bytes: UnsafeBufferPointer<UInt8>, at parameter: Int32
  ) {
    // The caller keeps the bytes, of which all these are ranges.
    var texts = texts
    for index in 0 as Int32..<3 {
      unsafe statement.bind(keptText: texts.next(in: bytes.span), of: bytes, at: parameter + index)
    }
    // The staging has checked that it is a whole number of 32 bits, or empty.
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
