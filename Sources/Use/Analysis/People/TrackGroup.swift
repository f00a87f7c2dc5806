/// The tracks of one person in order of time, or a single track without a person.
package struct TrackGroup: Equatable, Sendable {
  package var person: String?
  package var paths: [String]

  package init(person: String?, paths: [String]) {
    self.person = person
    self.paths = paths
  }

  /// Puts each track in a group of its own, in the order given.
  package static func alone(_ paths: [String]) -> [TrackGroup] {
    paths.map { TrackGroup(person: nil, paths: [$0]) }
  }

  /// Groups tracks by person, in an order that does not depend on the order of `paths`.
  ///
  /// Persons are sorted by name, then come the tracks without a person. A person's tracks are
  /// sorted by start time, then by name. Tracks without an outline or times come last.
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
