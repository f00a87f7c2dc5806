/// The tracks of one person in time's order, or a track that stays alone.
package struct TrackGroup: Equatable, Sendable {
  /// The person; nil for a track of nobody in particular.
  package var person: String?
  /// The tracks' files.
  package var paths: [String]

  /// Makes a group of its parts.
  package init(person: String?, paths: [String]) {
    self.person = person
    self.paths = paths
  }

  /// Every track alone, in the order given.
  package static func alone(_ paths: [String]) -> [TrackGroup] {
    paths.map { TrackGroup(person: nil, paths: [$0]) }
  }

  /// The tracks of each person, in time's order and then by name.
  ///
  /// Persons come in the order of their names, then the tracks of nobody. The order of the files does not matter.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - outlines: Their outlines; a track without one, or without times, comes after the others.
  ///   - person: The person of a track; nil if it stays alone.
  /// - Returns: The groups.
  package static func groups(
    _ paths: [String], outlines: [TrackOutline], person: (String) -> String?
  ) -> [TrackGroup] {
    let starts = Dictionary(
      outlines.map { ($0.path, $0.firstMilliseconds ?? .max) }, uniquingKeysWith: min)
    var tracks: [String: [String]] = [:]
    var others: [String] = []
    for path in paths {
      if let person = person(path) {
        tracks[person, default: []].append(path)
      } else {
        others.append(path)
      }
    }
    func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
    let persons = tracks.keys.sorted(by: precedes).map { person in
      TrackGroup(
        person: person,
        paths: (tracks[person] ?? []).sorted { a, b in
          let (first, second) = (starts[a] ?? .max, starts[b] ?? .max)
          return first != second ? first < second : precedes(a, b)
        })
    }
    return persons + alone(others.sorted(by: precedes))
  }
}
