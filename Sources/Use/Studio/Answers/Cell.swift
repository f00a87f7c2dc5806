#if Command
import FencepostReporting

/// A value in a row of an array.
///
/// The page reads rows by position, which keeps answers with thousands of rows short.
enum Cell {
  /// An integer, or `null`.
  case count(Int?)
  /// Milliseconds since 1970, or `null`.
  case instant(Int64?)
  /// A number with this many decimals; `null` if it is nil or not finite.
  case number(Double?, decimals: Int)
  /// A text, which is escaped.
  case text(String)
  /// A nested row of integers.
  case counts([Int])
}

extension OutputBuffer {
  /// Appends the values as a JSON array.
  mutating func append(row cells: [Cell]) {
    appendArray(cells) { output, cell in
      switch cell {
      case .count(let count?): output.append(decimal: count)
      case .instant(let milliseconds?): output.append(decimal: milliseconds)
      case .count(nil), .instant(nil): output.append("null")
      case .number(let number, let decimals): output.append(number ?? .nan, decimals: decimals)
      case .text(let text): output.append(json: text)
      case .counts(let counts): output.append(row: counts.map { .count($0) })
      }
    }
  }
}
#endif
