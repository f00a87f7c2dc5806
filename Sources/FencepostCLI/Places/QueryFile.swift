import Formats
import Geodesy

/// Points to ask for, from a file of comma-separated values with a header.
struct QueryFile: ~Copyable {
  /// One point.
  struct Query {
    /// What the user calls it: the column `id`, else the number of the row from 1.
    var name: String
    /// Where it is; a valid coordinate.
    var coordinate: Coordinate
  }

  private let path: String
  private var source: InflatedSource
  private var reader = CSVReader()
  private var isAtEnd = false
  private var latitudeColumn = 0
  private var longitudeColumn = 0
  private var idColumn: Int?
  private var rows = 0

  /// Opens a file and reads its header.
  ///
  /// - Parameter path: the file's path; `-` is standard input.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` where the header lacks a column.
  /// - Returns: the file, at its first row.
  static func open(_ path: String) throws -> QueryFile {
    var file = QueryFile(source: try InflatedSource(path: path))
    try file.readHeader()
    return file
  }

  private init(source: consuming InflatedSource) {
    path = source.name
    self.source = source
  }

  private mutating func readHeader() throws {
    guard try nextRecord() else {
      throw CommandFailure(.inputBad, "\(path): the file is empty; a header is needed")
    }
    let names = (0..<reader.fieldCount).map {
      reader.string($0).lowercased().filter { !$0.isWhitespace }
    }
    guard let latitude = names.firstIndex(where: { ["lat", "latitude"].contains($0) }),
      let longitude = names.firstIndex(where: {
        ["lon", "lng", "long", "longitude"].contains($0)
      })
    else {
      throw fault("the first line must be a header that names the columns lat and lon")
    }
    latitudeColumn = latitude
    longitudeColumn = longitude
    idColumn = names.firstIndex(of: "id")
  }

  /// The next query, or what is wrong with the row in its place; nil at the end.
  ///
  /// - Throws: `ByteSourceError`.
  mutating func next() throws -> Result<Query, CommandFailure>? {
    rows += 1
    do {
      guard try nextRecord() else { return nil }
    } catch let error as CSVError {
      return .failure(CommandFailure(.inputBad, "\(path), \(error)"))
    }
    guard let latitude = number(latitudeColumn), let longitude = number(longitudeColumn) else {
      return .failure(fault("lat and lon must be numbers"))
    }
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard coordinate.isValid else {
      return .failure(fault("lat must be −90 … 90 and lon −180 … 180"))
    }
    let id = idColumn.flatMap { $0 < reader.fieldCount ? reader.string($0) : nil } ?? ""
    return .success(Query(name: id.isEmpty ? "\(rows)" : id, coordinate: coordinate))
  }

  private func fault(_ sentence: String) -> CommandFailure {
    CommandFailure(.inputBad, "\(path): line \(reader.line): \(sentence)")
  }

  private func number(_ column: Int) -> Double? {
    guard column < reader.fieldCount else { return nil }
    let text = reader.string(column)
    return DecimalNumber.double(parsing: text.filter { !$0.isWhitespace })
  }

  /// Goes to the next record, reading on where the reader needs more; false at the end.
  private mutating func nextRecord() throws -> Bool {
    var chunk: [UInt8] = []
    while true {
      if try reader.next() { return true }
      if isAtEnd { return false }
      if try source.read(into: &chunk) {
        reader.push(chunk.span)
      } else {
        reader.finish()
        isAtEnd = true
      }
    }
  }
}
