extension Weekday {
  /// Reads a name from lists that begin with Sunday, or else in English.
  ///
  /// A name that stands twice in a list is ambiguous there, and the next list is tried. `fold` makes
  /// names comparable, such as in lowercase.
  package init?(_ name: String, in lists: [[String]], fold: (String) -> String) {
    let word = fold(name)
    for list in lists {
      let found = list.indices.filter { fold(list[$0]) == word }
      if found.count == 1 {
        self = Weekday.allCases[found[0]]
        return
      }
    }
    self.init(name)
  }
}
