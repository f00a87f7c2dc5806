extension TrackAnalysisSession {
  package enum StreamedResult: Sendable {
    /// The outcome of the next track, without the stories that alerted the person.
    case outcome(TrackOutcome<TrackAnalysis>)
    /// The stories that alerted a person, after the person's last track, and the person's days by
    /// alerts on each simulated phone.
    case reached([StoryReach], phoneDays: [String: [Int: Int]])
  }

  /// Analyzes the tracks of a stream one by one, as soon as their bytes arrive.
  ///
  /// A person's tracks must be consecutive and in order of time, because the alert policy carries
  /// over between them.
  ///
  /// - Parameters:
  ///   - frames: The tracks.
  ///   - person: Returns the person of a track, by its name; nil leaves it ungrouped.
  ///   - handOver: Called with each result, before the next frame is read.
  /// - Throws: `TrackFrameError` if the stream cannot be read or a person's tracks are not
  ///   consecutive, errors from opening the store or from `handOver`, and with ``Options/isStrict``
  ///   the first ``TrackFailure``, after handing it over.
  package func run(
    _ frames: consuming TrackFrameReader, person: (String) -> String?,
    handOver: (StreamedResult) throws -> Void
  ) throws {
    let analyzer = try makeAnalyzer()
    var company = StreamedPersons()
    func end(_ course: PersonCourse) throws {
      let days = analyzer.phoneDays(of: course)
      guard !course.reached.isEmpty || !days.isEmpty else { return }
      try handOver(.reached(course.reached, phoneDays: days))
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

/// Carries over what a person's tracks share, and checks that they are consecutive.
private struct StreamedPersons {
  var course = PersonCourse()
  private var person: String?
  private var names: Set<String> = []

  /// Starts a track.
  ///
  /// - Returns: What the previous person's tracks left; nil if the person is the same.
  /// - Throws: `TrackFrameError` if the person's tracks are not consecutive.
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
