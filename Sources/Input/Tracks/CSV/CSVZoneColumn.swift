import FencepostFormats
import FencepostTime

/// A column with time zones.
///
/// Only UTC is read; another zone is named.
struct CSVZoneColumn: Sendable {
  private static let namesOfUTC: Set<String> = [
    "UTC", "GMT", "Z", "0", "+0", "+00:00", "+0000", "UTC+0",
  ]

  /// The first cell that names another zone beside a time without one.
  private(set) var unread: String?
  /// The last cell and what it said, because most rows repeat it.
  private var last: (cell: [UInt8], saysUTC: Bool) = ([], false)

  /// Whether a row's cell says that its time is in UTC, unless the time has a zone of its own.
  mutating func saysUTC(_ cell: Span<UInt8>, time: Span<UInt8>) -> Bool {
    if cell.equals(last.cell) { return last.saysUTC }
    let text = String(utf8: cell)
    last = (Array(text.utf8), Self.namesOfUTC.contains(text))
    if !last.saysUTC, unread == nil, let civil = CivilText(time),
      civil.timeOfDayMilliseconds != nil, civil.offsetMilliseconds == nil
    {
      unread = String(text.prefix(40))
    }
    return last.saysUTC
  }
}
