/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// How many refusals are kept word for word; more are counted only.
  public static let keptRefusals = 1000

  /// Something that was imported and that its owner may want to know of.
  public enum Warning: Equatable, Sendable, CustomStringConvertible {
    /// Stories that share their exact spot with another; a phone monitors at most 20 at once.
    case sameSpot(places: Int, largestGroup: Int)
    /// Circles too small for a phone to notice reliably, under 100 m.
    case smallRadius(places: Int)
    /// Rows without an id, which got one made of title and position.
    case derivedID(places: Int)
    /// Rows without an id that have title and position of another, but differ; their ids end in -2, -3, …
    case numberedID(places: Int)
    /// Rows without an id that say the same as an earlier one, and count once with it.
    case repeatedRow(rows: Int)
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
      case .derivedID(let places):
        places == 1
          ? "1 place had no id and got one made of its title and position"
          : "\(places) places had no id and got one made of their title and position"
      case .numberedID(let places):
        places == 1
          ? "1 place has title and position of another but differs; its id ends in -2"
          : "\(places) places have title and position of another but differ; their ids end in -2, -3, …"
      case .repeatedRow(let rows):
        rows == 1
          ? "1 row without an id repeats an earlier row in every field and counts once with it"
          : "\(rows) rows without an id repeat earlier rows in every field and count once with them"
      case .notUTF8(let file, let line, let bytes):
        "\(file): line \(line): not UTF-8; \(bytes == 1 ? "1 byte" : "\(bytes) bytes") became U+FFFD"
      }
    }
  }

  /// How many places are new in the store.
  public var imported = 0
  /// How many places were in the store and have the row's contents now.
  public var updated = 0
  /// How many rows were refused.
  public var refused = 0
  /// How many rows were refused for each reason.
  public var refusedByReason: [PlaceRefusal.Reason: Int] = [:]
  /// The first refusals, at most ``keptRefusals``.
  public var refusals: [PlaceRefusal] = []
  /// What else there is to say.
  public var warnings: [Warning] = []

  mutating func add(_ refusal: PlaceRefusal) {
    refused += 1
    refusedByReason[refusal.reason, default: 0] += 1
    if refusals.count < ImportReport.keptRefusals { refusals.append(refusal) }
  }
}
