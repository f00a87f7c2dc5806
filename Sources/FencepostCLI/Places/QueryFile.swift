import FencepostFiles
import FencepostFormats
import FencepostGeodesy

/// Reads query points from delimited text with a header.
struct QueryFile: ~Copyable {
  struct Query {
    /// The column `id`, or else the row's number from 1.
    var name: String
    /// Always valid.
    var coordinate: Coordinate
  }

  private let path: String
  private var source: InflatedSource
  /// Nil after the dialect is known.
  private var head: CSVHead? = CSVHead()
  private var reader = CSVReader()
  private var isAtEnd = false
  private var columns: (latitude: Int, longitude: Int, id: Int?) = (0, 0, nil)
  private var rows = 0

  /// Opens a file and reads its header; `-` is standard input.
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
      throw CommandFailure(.inputBad, "\(path): the file is empty; it must begin with a header")
    }
    guard let columns = Self.columns(reader) else {
      throw fault("the first line must be a header that names the columns lat and lon")
    }
    self.columns = columns
  }

  /// The columns of a header; nil if it lacks a required one.
  private static func columns(
    _ header: borrowing CSVReader
  ) -> (latitude: Int, longitude: Int, id: Int?)? {
    var names: [String] = []
    for index in 0..<header.fieldCount {
      names.append(header.string(index).lowercased().filter { !$0.isWhitespace })
    }
    guard let latitude = names.firstIndex(where: { ["lat", "latitude"].contains($0) }),
      let longitude = names.firstIndex(where: {
        ["lon", "lng", "long", "longitude"].contains($0)
      })
    else { return nil }
    return (latitude, longitude, names.firstIndex(of: "id"))
  }

  /// The next query, or the error in its row; nil at the end.
  mutating func next() throws -> Result<Query, CommandFailure>? {
    rows += 1
    do {
      guard try nextRecord() else { return nil }
    } catch let error as CSVError {
      return .failure(CommandFailure(.inputBad, "\(path), \(error)"))
    }
    guard let latitude = number(columns.latitude), let longitude = number(columns.longitude) else {
      return .failure(fault("lat and lon must be numbers"))
    }
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard coordinate.isValid else {
      return .failure(fault("lat must be from -90 to 90, and lon from -180 to 180"))
    }
    let id = columns.id.flatMap { $0 < reader.fieldCount ? reader.string($0) : nil } ?? ""
    return .success(Query(name: id.isEmpty ? "\(rows)" : id, coordinate: coordinate))
  }

  private func fault(_ sentence: String) -> CommandFailure {
    CommandFailure(.inputBad, "\(path): line \(reader.line): \(sentence)")
  }

  private func number(_ column: Int) -> Double? {
    guard column < reader.fieldCount else { return nil }
    let text = reader.string(column).filter { !$0.isWhitespace }
    let commas = text.count { $0 == "," }
    return DecimalNumber.double(parsing: commas == 1 ? text.replacing(",", with: ".") : text)
  }

  /// Advances to the next record, reading more input if needed; false at the end.
  private mutating func nextRecord() throws -> Bool {
    var chunk: [UInt8] = []
    while true {
      if head == nil, try reader.next() { return true }
      if isAtEnd { return false }
      isAtEnd = try !source.read(into: &chunk)
      if isAtEnd {
        reader.finish(after: &head) { Self.columns($0) != nil }
      } else {
        _ = reader.push(chunk.span, after: &head) { Self.columns($0) != nil }
      }
    }
  }
}
