/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// How many refusals are kept; more are only counted.
  public static let keptRefusals = 1000

  /// Where a row begins.
  public struct Position: Equatable, Sendable, CustomStringConvertible {
    /// The file's name as given.
    public var file: String
    /// The line, from 1.
    public var line: Int

    /// Makes a position of its parts.
    public init(file: String, line: Int) {
      self.file = file
      self.line = line
    }

    /// File and line, such as `desk.csv: line 7`.
    public var description: String { "\(file): line \(line)" }
  }

  /// Something about accepted rows that their owner should know.
  public enum Warning: Equatable, Sendable, CustomStringConvertible {
    /// Places that share their exact spot with another; a phone monitors at most 20 at once.
    case sameSpot(places: Int, largestGroup: Int)
    /// Circles too small for a phone to notice reliably, under 100 m.
    case smallRadius(places: Int)
    /// Circles smaller than a receiver's error, under 10 m, as where a radius was meant in kilometres.
    case tinyRadius(places: Int, first: Position)
    /// Rows without an id, which got one derived from title and position.
    case derivedID(places: Int)
    /// Rows without an id that differ from another of their title and position; their ids end in -2, -3, …
    case numberedID(places: Int)
    /// Rows without an id that repeat an earlier one in everything that is imported, counted once; the first, and
    /// the one that it repeats.
    case repeatedRow(rows: Int, first: Position, earlier: Position)
    /// Nodes of OpenStreetMap without tags, which only give ways their shape, and were left out.
    case untaggedNodes(nodes: Int)
    /// Columns of a table that no field of a place is read from, as the header names them.
    case unusedColumns(file: String, names: [String])
    /// Members of an app's objects that no field of a place is read from, as they are named.
    case unusedFields(file: String, names: [String])
    /// Arrays within one document that places were read from, and whether an object around them has a position too,
    /// which is not imported.
    case arrays(file: String, names: [String], hasOwnPosition: Bool)
    /// Places at latitude and longitude 0, as programs write an unknown position.
    case atZero(places: Int, first: Position)
    /// Bytes that are not UTF-8, each replaced by U+FFFD.
    case notUTF8(file: String, line: Int, bytes: Int)

    /// The warning as one sentence without a full stop.
    public var description: String {
      switch self {
      case .sameSpot(let places, let largest):
        "\(places) places share their exact spot with others, up to \(largest) in one"
      case .smallRadius(let places):
        places == 1
          ? "1 place has a radius under 100 m, which phones notice late or not at all"
          : "\(places) places have a radius under 100 m, which phones notice late or not at all"
      case .tinyRadius(let places, let first):
        places == 1
          ? "\(first): the radius is under 10 m, less than a receiver errs; radii are in metres"
          : "\(first): the radius is under 10 m, less than a receiver errs, and so are \(places - 1)"
            + " more; radii are in metres"
      case .derivedID(let places):
        places == 1
          ? "1 place had no id and got one made of its title and position"
          : "\(places) places had no id and got one made of their title and position"
      case .numberedID(let places):
        places == 1
          ? "1 place has title and position of another but differs; its id ends in -2"
          : "\(places) places have title and position of another but differ; their ids end in -2, -3, …"
      case .repeatedRow(let rows, let first, let earlier):
        rows == 1
          ? "\(Self.pair(first, earlier)); the two count once"
          : "\(Self.pair(first, earlier)), and so do \(rows - 1) more; repeats count once"
      case .untaggedNodes(let nodes):
        nodes == 1
          ? "1 node has no tags, as those that only give ways their shape, and was left out"
          : "\(nodes) nodes have no tags, as those that only give ways their shape, and were left out"
      case .unusedColumns(let file, let names):
        "\(file): not imported: the \(names.count == 1 ? "column" : "columns") \(names.joined(separator: ", "));"
          + " those that can be are id, title, lat, lon, radius, blurb, url, category, priority, published and expires"
      case .unusedFields(let file, let names):
        "\(file): not imported: the \(names.count == 1 ? "field" : "fields") \(names.joined(separator: ", "));"
          + " those that can be are id, title, lat, lon, radius, blurb, url, category, priority, published and expires"
      case .arrays(let file, let names, let hasOwnPosition):
        "\(file): places were read from \(names.joined(separator: ", "))"
          + (hasOwnPosition
            ? "; the object around has a position too, and is not imported" : "")
      case .atZero(let places, let first):
        "\(first): "
          + (places == 1
            ? "the place lies at latitude and longitude 0"
            : "the place, and \(places - 1) more in this import, lie at latitude and longitude 0")
          + ", in the sea off Africa; is the position unknown?"
      case .notUTF8(let file, let line, let bytes):
        "\(file): line \(line): not UTF-8; \(bytes == 1 ? "1 byte" : "\(bytes) bytes") became U+FFFD;"
          + " save it as UTF-8, or, if it is Windows-1252: iconv -f WINDOWS-1252 -t UTF-8 FILE"
      }
    }

    /// Whether something of the file did not become part of a place.
    public var tellsOfLoss: Bool {
      switch self {
      case .repeatedRow, .notUTF8: true
      default: false
      }
    }

    private static func pair(_ first: Position, _ earlier: Position) -> String {
      let other = first.file == earlier.file ? "line \(earlier.line)" : earlier.description
      return "\(first) has no id and repeats \(other) in everything that is imported"
    }
  }

  /// How many places are new in the store.
  public var imported = 0
  /// How many places in the store were replaced.
  public var updated = 0
  /// How many rows were refused.
  public var refused = 0
  /// How many rows were refused for each reason.
  public var refusedByReason: [PlaceRefusal.Reason: Int] = [:]
  /// The first refusals, at most ``keptRefusals``.
  public var refusals: [PlaceRefusal] = []
  /// The warnings about accepted rows.
  public var warnings: [Warning] = []

  mutating func add(_ refusal: PlaceRefusal) {
    refused += 1
    refusedByReason[refusal.reason, default: 0] += 1
    if refusals.count < ImportReport.keptRefusals { refusals.append(refusal) }
  }
}
