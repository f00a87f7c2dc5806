/// Finds a story by its id, its title, or part of either.
///
/// The tests run in this order, and the first that matches any story decides: exact id, exact
/// title, id or title ignoring case, part of the id or title ignoring case.
package struct StoryChoice: Sendable {
  /// The text matches no story, or more than one.
  ///
  /// Commands print it and end, so that nobody explains another story than the intended one.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The text as the user wrote it.
    package var text: String
    /// The matching stories, or similar ones if none matches; at most ``mostCandidates``.
    package var candidates: [Story]
    /// The number of matching stories; 0 if none matches.
    package var fittingCount: Int

    /// A message without a final period.
    package var description: String {
      let names = candidates.map { $0.title.isEmpty ? $0.id : "\($0.id) (\($0.title))" }
      var list = names.joined(separator: ", ")
      if fittingCount > names.count { list += " and \(fittingCount - names.count) more" }
      guard fittingCount == 0 else { return "“\(text)” matches \(fittingCount) stories: \(list)" }
      return "no story matches “\(text)”. "
        + (list.isEmpty ? "To list all: fencepost places list" : "Similar: \(list)")
    }
  }

  /// The most stories that a ``Failure`` names.
  package static let mostCandidates = 8

  private let stories: [Story]

  /// Chooses among these stories; an index is a position in this array.
  package init(_ stories: [Story]) {
    self.stories = stories
  }

  /// Returns the index of the story that a text names.
  ///
  /// - Throws: ``Failure`` unless the deciding test matches exactly one story.
  package func index(of text: String) throws(Failure) -> Int {
    // An id wins even if another story has it as its title.
    if let index = stories.firstIndex(where: { $0.id == text }) { return index }
    let lowercased = text.lowercased()
    let fits: [(Story) -> Bool] = [
      { $0.title == text },
      { $0.id.lowercased() == lowercased || $0.title.lowercased() == lowercased },
      { $0.id.lowercased().contains(lowercased) || $0.title.lowercased().contains(lowercased) },
    ]
    for fit in fits where !text.isEmpty {
      let found = stories.indices.filter { fit(stories[$0]) }
      if found.count == 1 { return found[0] }
      guard found.isEmpty else {
        throw Failure(
          text: text, candidates: found.prefix(Self.mostCandidates).map { stories[$0] },
          fittingCount: found.count)
      }
    }
    throw Failure(text: text, candidates: similar(to: lowercased), fittingCount: 0)
  }

  /// Returns stories that share words of at least three letters with the text, best match first.
  private func similar(to text: String) -> [Story] {
    let words = Self.words(of: text)
    let shared = stories.map { story in
      words.intersection(Self.words(of: "\(story.id) \(story.title)".lowercased())).count
    }
    return stories.indices.filter { shared[$0] > 0 }
      .sorted { (shared[$1], $0) < (shared[$0], $1) }
      .prefix(Self.mostCandidates).map { stories[$0] }
  }

  private static func words(of text: String) -> Set<Substring> {
    Set(text.split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 2 })
  }
}
