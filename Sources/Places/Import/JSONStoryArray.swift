/// An array of a document while it is read, which may be one of an app's objects.
///
/// Whether it is shows with its first object that has a position. Until then only lines are kept, of elements that are
/// refused if it is one.
struct JSONStoryArray {
  /// The name of the member; nil if the document is the array.
  let name: String?
  /// Whether an element has had a position.
  var isDecided = false
  /// The lines of the elements before that, the first of them.
  private(set) var lines: [Int] = []
  /// How many elements came before that.
  private(set) var count = 0

  /// Begins an array.
  init(name: String?) {
    self.name = name
  }

  /// Takes an element without a position.
  mutating func note(line: Int) {
    count += 1
    if lines.count < ImportReport.keptRefusals { lines.append(line) }
  }
}
