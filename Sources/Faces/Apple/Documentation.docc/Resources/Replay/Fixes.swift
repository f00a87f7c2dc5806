import FencepostApple
import Foundation

/// The next fix of the walk on standard input, which has one JSON object per line; nil at its end.
func nextFix() throws -> PhoneFix? {
  guard let line = readLine() else { return nil }
  return try JSONDecoder().decode(PhoneFix.self, from: Data(line.utf8))
}
