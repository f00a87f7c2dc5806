public import Foundation

extension ClockZone {
  /// The same zone as calendars and systems know it, also where its name is an offset.
  public var timeZone: TimeZone { zone }
}
