/// The tracks of one person in order of time, or a single track without a person.
///
/// Before they are read, the tracks are the paths of their files.
package struct PersonTracks<Track: Sendable>: Sendable {
  /// The person's name; nil for a track that stands alone.
  package let person: String?
  /// The tracks, at least one.
  package let tracks: [Track]

  /// Creates a group; the tracks must be in order of time.
  package init(person: String?, tracks: [Track]) {
    (self.person, self.tracks) = (person, tracks)
  }

  /// Puts each track in a group of its own, in the order given.
  package static func alone(_ tracks: [Track]) -> [PersonTracks] {
    tracks.map { PersonTracks(person: nil, tracks: [$0]) }
  }
}

extension PersonTracks: Equatable where Track: Equatable {}

extension PersonTracks<String> {
  /// Groups the paths of files by person, in an order that does not depend on that of `paths`.
  ///
  /// Persons are sorted by name, then come the tracks without a person. A person's tracks are
  /// sorted by start time, then by name. Tracks without an outline or times come last.
  package static func groups(
    _ paths: [String], outlines: [TrackOutline], person: (String) -> String?
  ) -> [PersonTracks] {
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
      PersonTracks(
        person: person,
        tracks: (tracks[person] ?? []).sorted { a, b in
          let (first, second) = (starts[a] ?? .max, starts[b] ?? .max)
          return first != second ? first < second : precedes(a, b)
        })
    }
    return persons + alone(others.sorted(by: precedes))
  }
}
