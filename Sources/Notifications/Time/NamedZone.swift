#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The rules of a zone of the time zone database, from Foundation or the system's files.
struct NamedZone: Hashable, Sendable {
  /// UTC where only the system's files know the zone.
  let timeZone: TimeZone
  /// The zone where Foundation knows none, because it is linked without ICU.
  private let file: ZoneFile?

  /// Finds the rules; nil for an unknown name.
  init?(identifier: String) {
    if let zone = TimeZone(identifier: identifier) {
      (timeZone, file) = (zone, nil)
    } else if let found = Self.file(of: identifier) {
      (timeZone, file) = (.gmt, found)
    } else {
      return nil
    }
  }

  private static func file(of identifier: String) -> ZoneFile? {
    #if os(Linux)
      guard identifier.utf8.allSatisfy({ UInt8(ascii: "+")...UInt8(ascii: "z") ~= $0 }),
        !identifier.hasPrefix("/"), !identifier.contains(".."),
        let bytes = try? Data(
          contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + identifier))
      else { return nil }
      return ZoneFile(Array(bytes))
    #else
      return nil
    #endif
  }

  func offsetSeconds(atMilliseconds milliseconds: Int64) -> Int64 {
    if let file { return file.offsetSeconds(at: milliseconds.dividedDown(by: 1000)) }
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return Int64(timeZone.secondsFromGMT(for: date))
  }
}

extension ClockZone {
  /// The equivalent Foundation time zone; UTC where only the system's files know the zone.
  package var timeZone: TimeZone {
    // A zone with a fixed offset within 18 hours always exists.
    named?.timeZone ?? TimeZone(secondsFromGMT: Int(fixedSeconds ?? 0)) ?? .gmt
  }
}
