import FencepostAnalysis
import FencepostFormats
import FencepostReporting

/// The stories that an expectation is about.
package enum StorySubject: Sendable, CustomStringConvertible {
  /// One story, by id, title or a part that no other story has.
  case named(String)
  /// All stories with these properties.
  case filter(Filter)

  package struct Filter: Sendable {
    /// The exact category.
    var category: String?
    /// A part of the title, in any case.
    var title: String?
    /// A part of the id.
    var id: String?

    func matches(_ story: Story) -> Bool {
      category.map { $0 == story.category } ?? true
        && title.map { story.title.lowercased().contains($0.lowercased()) } ?? true
        && id.map { story.id.contains($0) } ?? true
    }
  }

  /// No story, or more than one, fits; a message without a final period.
  struct Unfit: Error { var sentence: String }

  init(_ node: JSONNode) throws(JSONPathError) {
    guard case .object = node.value else {
      self = .named(try node.text())
      return
    }
    try node.check(keys: ["category", "title", "id"])
    let filter = Filter(
      category: try node.optional("category", JSONNode.text),
      title: try node.optional("title", JSONNode.text), id: try node.optional("id", JSONNode.text))
    guard filter.category != nil || filter.title != nil || filter.id != nil else {
      throw node.error("needs category, title or id")
    }
    self = .filter(filter)
  }

  package var description: String {
    switch self {
    case .named(let name): return name
    case .filter(let filter):
      let parts = [
        filter.category.map { "category \($0)" }, filter.title.map { "“\($0)” in its title" },
        filter.id.map { "“\($0)” in its id" },
      ].compactMap { $0 }
      return "a story with \(parts.joined(separator: " and "))"
    }
  }

  /// The index of a named story; nil for a filter.
  func index(in stories: StoryIndex) throws(Unfit) -> Int? {
    guard case .named(let name) = self else { return nil }
    if let index = stories.index(ofID: name) { return index }
    do throws(StoryChoice.Failure) {
      return try StoryChoice(stories.stories.array).index(of: name)
    } catch {
      throw Unfit(sentence: "\(error)")
    }
  }

  /// Returns a test for the stories that are meant.
  ///
  /// - Complexity: O(log n) for an id, else O(n).
  func matcher(in stories: StoryIndex) throws(Unfit) -> (Int) -> Bool {
    if let index = try index(in: stories) { return { $0 == index } }
    guard case .filter(let filter) = self, stories.stories.contains(where: filter.matches) else {
      throw Unfit(sentence: "there is not \(self)")
    }
    return { filter.matches(stories.stories[$0]) }
  }
}
