/// A source of fixes that fails; an engine in a browser has all fixes in memory.
package struct FixSourceError: Error, CustomStringConvertible {
  package var description: String { "" }
}
