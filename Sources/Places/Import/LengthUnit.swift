/// Units of length that people write after a number or in a column heading.
package enum LengthUnit {
  private static let meters = [
    "m": 1, "meter": 1, "meters": 1, "metern": 1, "metre": 1, "metres": 1, "mètre": 1, "mètres": 1,
    "metro": 1, "metros": 1, "metri": 1, "km": 1000, "kilometer": 1000, "kilometers": 1000,
    "kilometern": 1000, "kilometre": 1000, "kilometres": 1000, "kilomètres": 1000, "ft": 0.3048,
    "foot": 0.3048, "feet": 0.3048, "fuß": 0.3048, "fuss": 0.3048, "pieds": 0.3048,
    "'": 0.3048, "′": 0.3048, "yd": 0.9144, "yds": 0.9144, "yard": 0.9144, "yards": 0.9144,
    "mi": 1609.344, "mile": 1609.344, "miles": 1609.344, "meile": 1609.344, "meilen": 1609.344,
    "nmi": 1852, "seemeilen": 1852, "nauticalmile": 1852, "nauticalmiles": 1852,
  ]

  /// The length of a unit in meters, or nil if unknown; ignores case and spaces.
  package static func meters(_ name: some StringProtocol) -> Double? {
    meters[String(name.lowercased().filter { !$0.isWhitespace })]
  }
}
