import FencepostFormats
import FencepostGeodesy
public import FencepostMonitoring
import FencepostTime

/// A list of places that was read from text: CSV, GeoJSON, or an app's own JSON objects.
///
/// Columns, members and faults are those of `fencepost places import`. Nothing is stored, and no
/// file is read.
///
/// ```swift
/// let list = try PlaceList(csv, name: "stories.csv")
/// for refusal in list.report.refusals { print(refusal) }
/// let stories = try PlaceIndex(list.places)
/// ```
public struct PlaceList: Sendable {
  /// The places in the order of the text, with keys from 1.
  public let places: [Place]
  /// How many rows were read and refused, and why.
  public let report: ImportReport
  /// What the list's owner should know about rows that were read, as sentences: positions that may
  /// be swapped, circles too small for a phone, ids that were generated.
  public var warnings: [String] { report.warnings.map(\.description) }

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - text: The whole text of a table or of a JSON document.
  ///   - name: What messages call it, such as the name of its file.
  ///   - options: How to treat faults and missing values.
  /// - Throws: ``PlaceListError`` if no format fits, or for the first fault if the options are strict.
  /// - Complexity: O(n) for n bytes.
  public init(
    _ text: String, name: String = "list", options: ImportOptions = ImportOptions()
  ) throws(PlaceListError) {
    try self.init(Array(text.utf8), name: name, options: options)
  }

  /// Reads a list from the bytes of a file, in UTF-8, UTF-16 or Windows-1252.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a table or of a JSON document.
  ///   - name: What messages call it, such as the name of its file.
  ///   - options: How to treat faults and missing values.
  /// - Throws: ``PlaceListError`` if no format fits, or for the first fault if the options are strict.
  /// - Complexity: O(n) for n bytes.
  public init(
    _ bytes: [UInt8], name: String = "list", options: ImportOptions = ImportOptions()
  ) throws(PlaceListError) {
    let rows = Rows()
    let staging = PlaceStaging(rows, options: options)
    staging.file = name
    var layer = bytes.withSpan { TextLayer(head: $0.extracting(first: min(4, $0.count))) }
    var decoded = bytes
    layer.decode(&decoded)
    var rest: [UInt8] = []
    layer.finish(into: &rest)
    let text = ContiguousArray(decoded + rest)
    switch try Self.format(of: text.span, staging) {
    case .table: try Self.decode(text.span, CSVPlaces(staging))
    case .json: try Self.decode(text.span, JSONPlaces(staging))
    }
    staging.warn(layer.warning(file: name))
    try staging.finish()
    (places, report) = (rows.places, staging.report)
  }

  /// How a list is written.
  private enum Format { case table, json }

  /// The format by the first character; throws for one that needs another module.
  private static func format(
    of text: Span<UInt8>, _ staging: PlaceStaging
  ) throws(PlaceListError) -> Format {
    let mark = ByteOrderMark.length(in: text, isWhole: true) ?? 0
    guard let first = (mark..<text.count).first(where: { text[$0] > 0x20 }) else { return .table }
    switch text[first] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), JSONReader.recordSeparator: return .json
    case UInt8(ascii: "<"):
      throw staging.fault("this is XML; FencepostPlaces reads KML, GPX, RSS and Atom")
    case UInt8(ascii: "P") where text.count > first + 3 && text[first + 2] == 3:
      throw staging.fault("this is a zip archive; unpack it, or read it with FencepostPlaces")
    default: return .table
    }
  }

  private static func decode(
    _ text: Span<UInt8>, _ decoder: consuming some PlaceDecoder
  ) throws(PlaceListError) {
    try decoder.decode(text)
    try decoder.finish()
  }

  /// Collects the accepted rows as places.
  private final class Rows: PlaceTable {
    var places: [Place] = []

    func append(_ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double) {
      func time(_ field: PlaceDraft.Field) -> Int64? {
        ISO8601.milliseconds(parsing: draft.bytes.span.extracting(draft.range(field)))
      }
      places.append(
        Place(
          key: Int64(places.count + 1), id: draft.text(.id), title: draft.text(.title),
          blurb: draft.text(.blurb), url: draft.text(.url), category: draft.text(.category),
          priority: DecimalNumber.double(parsing: draft.text(.priority)).map { Int($0) } ?? 0,
          coordinate: coordinate, radiusMeters: radiusMeters,
          publishedMilliseconds: time(.published), expiresMilliseconds: time(.expires)))
    }

    func texts(ofRow row: Int) -> (id: String, title: String) {
      (places[row].id, places[row].title)
    }
  }
}
