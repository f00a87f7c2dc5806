public import Formats
public import Geodesy

/// The reminders of a file, with what they need to be planned.
///
/// The file is one JSON object; `Data/schemas/reminders.schema.json` describes it.
public struct ReminderDocument: Equatable, Sendable {
  /// The zone the phone is in at first; UTC where the file does not say.
  public var zone: ClockZone
  /// Where the phone is, if the file says so.
  public var location: Coordinate?
  /// The kinds.
  public var kinds: KindRegistry
  /// How often notifications of each kind were shown and tapped so far.
  public var tapRates: TapRates
  /// The slots of each kind, for the ranking by quotas; empty where the file has none.
  public var quotas: [String: Int]
  /// The reminders, in the order of the file.
  public var reminders: [Reminder]

  /// Makes a document of its parts.
  public init(
    reminders: [Reminder], kinds: KindRegistry = KindRegistry(), quotas: [String: Int] = [:],
    zone: ClockZone = .utc, location: Coordinate? = nil, tapRates: TapRates = TapRates()
  ) {
    self.zone = zone
    self.location = location
    self.kinds = kinds
    self.tapRates = tapRates
    self.quotas = quotas
    self.reminders = reminders
  }

  /// Reads a file.
  ///
  /// - Parameter bytes: The whole file, UTF-8.
  /// - Throws: ``ReminderFileError`` with the place of the first fault.
  public init(parsing bytes: Span<UInt8>) throws(ReminderFileError) {
    let root = try readRoot(bytes)
    do throws(JSONPathError) {
      self = try ReminderReader.document(root)
    } catch {
      throw .document(error)
    }
  }
}

extension ZoneChange {
  /// Reads a file of zone changes: `{"changes": [{"at": …, "zone": …}, …]}`.
  ///
  /// `Data/schemas/zone-changes.schema.json` describes it.
  /// - Parameter bytes: The whole file, UTF-8.
  /// - Returns: The changes in the order of the file.
  /// - Throws: ``ReminderFileError`` with the place of the first fault.
  public static func list(parsing bytes: Span<UInt8>) throws(ReminderFileError) -> [ZoneChange] {
    let root = try readRoot(bytes)
    do throws(JSONPathError) {
      return try ReminderReader.zoneChanges(root)
    } catch {
      throw .document(error)
    }
  }
}

private func readRoot(_ bytes: Span<UInt8>) throws(ReminderFileError) -> JSONNode {
  do throws(JSONError) {
    return JSONNode(try JSONValue(parsing: bytes))
  } catch {
    throw .syntax(error)
  }
}

/// What is wrong with a file of reminders, and where.
public enum ReminderFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not JSON.
  case syntax(JSONError)
  /// A value is not what it should be.
  case document(JSONPathError)

  /// A sentence with the place: the line, or the path such as `reminders[3].times[0]`.
  public var description: String {
    switch self {
    case .syntax(let error): error.description
    case .document(let error): error.description
    }
  }
}
