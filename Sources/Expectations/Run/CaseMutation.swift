import FencepostAnalysis
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// What the cases of a file notice when its stories and rules change.
package struct CaseMutation: Sendable {
  package var tried = 0
  /// Changes that alter alerts, and that every case passes.
  package var unnoticed: [String] = []
  /// Changes that alter no alert on any walk.
  package var idle: [String] = []
  /// The number of stories that no walk comes into and no case names; none of them was changed.
  package var storiesOutside = 0
}

extension CaseRunner {
  private struct Mutant {
    var description: String
    var changes = PlaceChanges()
    var ruleLeftOut: String?
  }

  /// Changes stories and rules one at a time, and asks which changes no case would notice.
  ///
  /// Runs that a change certainly cannot affect are not repeated.
  ///
  /// - Throws: As ``run()`` does, and `JSONPathError` if a case fails without any change.
  package func mutate() throws -> CaseMutation {
    let stand = CaseStand()
    var before: [CaseJudge] = []
    for (story, result) in zip(file.cases, try run()) {
      guard result.isPassed else {
        throw JSONPathError(
          path: story.path, sentence: "“\(story.name)” fails; correct it before --mutate")
      }
      before.append(try judge(story, stand))
    }
    var mutation = CaseMutation()
    for mutant in mutants(before, &mutation.storiesOutside) {
      mutation.tried += 1
      let (isNoticed, isIdle) = try effect(of: mutant, before)
      guard !isNoticed else { continue }
      mutation[keyPath: isIdle ? \CaseMutation.idle : \.unnoticed].append(mutant.description)
    }
    return mutation
  }

  /// Whether some case fails under a change, and whether everything happens as before.
  private func effect(
    of mutant: Mutant, _ before: [CaseJudge]
  ) throws -> (isNoticed: Bool, isIdle: Bool) {
    let stand = CaseStand(mutant.changes, leavingOut: mutant.ruleLeftOut)
    var isIdle = true
    for (story, known) in zip(file.cases, before) {
      if let rule = mutant.ruleLeftOut, !story.rules.contains(where: { $0.name == rule }) {
        continue
      }
      let judge: CaseJudge
      do {
        judge = try self.judge(
          story, stand, after: mutant.ruleLeftOut == nil ? known.runs : [])
      } catch  where mutant.ruleLeftOut != nil && !(error is CancellationError) {
        // The other rules need the one left out.
        return (true, false)
      }
      if judge.runs.allSatisfy(\.isTakenOver) { continue }
      if judge.happenings != known.happenings { isIdle = false }
      for expectation in story.expectations
      where try judge.finding(of: expectation, explains: false).outcome != .passed {
        return (true, false)
      }
    }
    return (false, isIdle)
  }

  // MARK: Mutants

  private func mutants(_ before: [CaseJudge], _ outside: inout Int) -> [Mutant] {
    guard let stories = before.first?.stories else { return [] }
    var touched: Set<Int> = []
    for run in before.lazy.flatMap(\.runs) {
      touched.formUnion(run.run.edges.map(\.story))
      touched.formUnion(run.run.insideAtStart)
    }
    for subject in file.cases.flatMap(\.expectations).flatMap(\.subjects) {
      // Subjects that fit no story were already reported as failures.
      if let story = try? subject.index(in: stories) { touched.insert(story) }
    }
    outside = stories.count - touched.count
    let fixes = before.lazy.flatMap(\.tracks).flatMap { [$0.fixes.first, $0.fixes.last] }
    let times = fixes.compactMap { $0?.timeMilliseconds }
    let span = times.min().flatMap { first in times.max().map { first...$0 } }
    let places = touched.sorted().flatMap { mutants(of: stories.place(of: $0), span, before) }
    let names = Set(file.cases.flatMap(\.rules).map(\.name))
      .subtracting(CaseRules.ofReading).subtracting(CaseRules.ofChance)
    return places
      + names.sorted().map { Mutant(description: "without the rule \($0)", ruleLeftOut: $0) }
  }

  private func mutants(
    of place: Place, _ walks: ClosedRange<Int64>?, _ before: [CaseJudge]
  ) -> [Mutant] {
    var mutants: [Mutant] = []
    func add(_ words: String, _ change: (inout Place) -> Void) {
      var changed = place
      change(&changed)
      mutants.append(
        Mutant(
          description: "\(place.id): \(words)", changes: PlaceChanges([place.id: changed])))
    }
    let radius = place.radiusMeters
    func meters(_ value: Double) -> String { ReportNumber.distance(value) }
    for other in [radius / 2, radius * 2] where other <= Circle.greatestRadiusMeters {
      add("radius \(meters(other)) instead of \(meters(radius))") { $0.radiusMeters = other }
    }
    add("moved \(meters(2 * radius)) to the north") {
      $0.coordinate = Geodesic.direct(
        from: $0.coordinate, azimuthDegrees: 0, distanceMeters: 2 * radius)
    }
    guard let walks else { return mutants }
    let day: Int64 = 86_400_000
    let held = Set(
      before.lazy.flatMap(\.happenings).filter { $0.story == place.id }.compactMap(\.suppression))
    if place.publishedMilliseconds != nil {
      if held.contains(.notPublished) {
        add("always published") { $0.publishedMilliseconds = nil }
      } else {
        add("published after the walks") { $0.publishedMilliseconds = walks.upperBound + day }
      }
    }
    if place.expiresMilliseconds != nil {
      if held.contains(.expired) {
        add("never expires") { $0.expiresMilliseconds = nil }
      } else {
        add("expired before the walks") { $0.expiresMilliseconds = walks.lowerBound - day }
      }
    }
    return mutants
  }
}

extension StoryExpectation {
  fileprivate var subjects: [StorySubject] {
    switch kind {
    case .alert(let subject, _), .noAlert(let subject), .suppressed(let subject, _, _),
      .probability(let subject, _):
      [subject]
    case .order(let subjects): subjects
    case .count(let count): count.subject.map { [$0] } ?? []
    case .certified, .reminder: []
    }
  }
}
