extension TrackAnalysisSession {
  /// What a session over a stream of tracks hands over.
  package enum StreamedResult: Sendable {
    /// The outcome of the next track, without the stories that it reached.
    case outcome(TrackOutcome<TrackAnalysis>)
    /// The stories that reached a person, after the last of the person's tracks.
    case reached([StoryReach])
  }

  /// Analyses the tracks of a stream one by one, each as soon as its bytes are there.
  ///
  /// Tracks of a person must follow one another, in time's order: the alert policy goes on from one to the next.
  ///
  /// - Parameters:
  ///   - frames: The tracks.
  ///   - person: The person of a track, by its name; nil if it stays alone.
  ///   - handOver: Called with each result, before the next frame is read.
  /// - Throws: ``TrackFrameError`` if the stream cannot be read to its end or a person's tracks are scattered, the
  ///   error of a source that cannot be opened, what `handOver` throws, and with ``Options/isStrict`` the first
  ///   ``TrackFailure``, after handing it over.
  package func run(
    _ frames: consuming TrackFrameReader, person: (String) -> String?,
    handOver: (StreamedResult) throws -> Void
  ) throws {
    let analyzer = try makeAnalyzer()
    var company = StreamedPersons()
    func end(_ course: PersonCourse) throws {
      if !course.reached.isEmpty { try handOver(.reached(course.reached)) }
    }
    while !Task.isCancelled, let frame = try frames.next() {
      let person = person(frame.track)
      if let ended = try company.begin(person, track: frame.track) { try end(ended) }
      let outcome = analyzer.analyze(frame, of: person, &company.course)
      try handOver(.outcome(outcome))
      if case .failure(let failure) = outcome, options.isStrict {
        try end(company.course)
        throw failure
      }
    }
    try end(company.course)
  }
}

/// Whose track it is in a stream, and what lasts from one track of a person to the next.
private struct StreamedPersons {
  var course = PersonCourse()
  private var person: String?
  private var names: Set<String> = []

  /// Begins a track.
  ///
  /// - Returns: The course of another person who was before; nil if this one goes on.
  /// - Throws: ``TrackFrameError`` if the person's tracks had ended before.
  mutating func begin(_ next: String?, track: String) throws(TrackFrameError) -> PersonCourse? {
    if let next, next == person { return nil }
    if let next, !names.insert(next).inserted {
      throw .damaged(
        "\(track): tracks of \(next) must follow one another, but other tracks came in between")
    }
    person = next
    defer { course = PersonCourse() }
    return course
  }
}
