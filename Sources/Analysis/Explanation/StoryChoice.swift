/// Finds a story by its id, its title, or a part of either.
///
/// The first test that any story passes decides: the exact id; the exact title; id or title regardless of
/// case; a part of them regardless of case.
package struct StoryChoice: Sendable {
  /// Why a text does not name one story.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The text.
    package var text: String
    /// Similar stories, at most ``mostCandidates``.
    package var candidates: [Story]
    /// How many stories match.
    package var fittingCount: Int

    /// A sentence without a full stop.
    package var description: String {
      let names = candidates.map { $0.title.isEmpty ? $0.id : "\($0.id) (\($0.title))" }
      var list = names.joined(separator: ", ")
      if fittingCount > names.count { list += " and \(fittingCount - names.count) more" }
      guard fittingCount == 0 else { return "“\(text)” matches \(fittingCount) stories: \(list)" }
      return "no story matches “\(text)”. "
        + (list.isEmpty ? "To list all: fencepost places list" : "Similar: \(list)")
    }
  }

  /// The most candidates that a failure names.
  package static let mostCandidates = 8

  private let stories: [Story]

  /// Makes a choice among stories.
  package init(_ stories: [Story]) {
    self.stories = stories
  }

  /// The index of the story that a text names.
  ///
  /// - Parameter text: An id, a title, or a part of one.
  /// - Returns: The story's index.
  /// - Throws: ``Failure`` if no story matches, or several match the deciding test.
  package func index(of text: String) throws(Failure) -> Int {
    // An id is unique, even if it is also the title of another story.
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

  /// Stories that share a word of three letters or more with the text, those with most words first.
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
