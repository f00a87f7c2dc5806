/// Something that does not hold of some bytes, though it should of all.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Demands that something holds.
///
/// - Throws: ``Finding`` with the sentence where it does not.
func demand(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(Finding) {
  if !holds { throw Finding(sentence()) }
}
