import FencepostAnalysis
import FencepostMonitoring
import FencepostReporting

/// The search for changes that gain alerts, while it is under way.
struct StudioSearch: Sendable {
  /// The time after which a search ends with what it has found, so that its answer still reaches the page.
  static let longest = Duration.seconds(240)

  let task: Task<Advice, any Error>

  init(_ advisor: Advisor) {
    task = Task.detached { try await advisor.advise() }
  }

  /// What is proposed; after a while, or when it is stopped, what has been found until then.
  func result() async throws -> Advice {
    let (task, longest) = (task, Self.longest)
    let alarm = Task {
      try await Task.sleep(for: longest)
      task.cancel()
    }
    defer { alarm.cancel() }
    return try await task.value
  }
}

extension StudioDesk {
  /// Looks for the changes that gain most alerts on the tracks, from a question's places and rules.
  ///
  /// - Returns: The lines of `advise` in a JSON array.
  /// - Throws: ``Refusal``.
  func advise(_ question: StudioQuestion) async throws(Refusal) -> [UInt8] {
    // The circles as they are, not as a phone notices them.
    let trial = try await makeChanceTrial(question).trial
    guard !scene.tracks.isEmpty else {
      throw Refusal(description: "there is no track to advise on")
    }
    var options = AdviceOptions()
    (options.session, options.zone, options.jobs) = (trial.options, scene.zone, jobs)
    let search = StudioSearch(
      Advisor(
        places: trial.places.places,
        persons: scene.tracks.map { PersonTracks(person: nil, tracks: [$0]) }, options: options))
    begin(search)
    do {
      var lines = OutputBuffer()
      AdviceWriter(try await search.result()).writeNDJSON(to: &lines)
      var output = OutputBuffer()
      output.appendObject {
        $0.array("lines", lines.text.split(separator: "\n")) { $0.append(verbatim: String($1)) }
      }
      return Array(output.text.utf8)
    } catch is CancellationError {
      throw Refusal(description: "the search was stopped before the tracks were followed once")
    } catch {
      throw Refusal(description: "\(error)")
    }
  }
}
