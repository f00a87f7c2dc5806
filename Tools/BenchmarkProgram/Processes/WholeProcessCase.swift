/// A command that is run as a whole, and what it is held against.
struct WholeProcessCase {
  var name: String
  var arguments: [String]
  /// How many fixes, places or starts one run handles.
  var count: Int
  /// What is counted.
  var unit: String
  /// Name of the case that is its bound, nil for a bound.
  var bound: String?
  /// Files that must not be there when it starts.
  var removedFirst: [String] = []
  /// Whether the time that goes by is what counts, as where several processors are at work.
  var isWall = false

  /// Files and commands of the cases.
  struct Scene {
    var fencepost: String
    var benchmark: String
    var folder: String
    var fixes: Int
    var places: [Int]
  }

  /// All cases: bounds first.
  static func all(in scene: Scene) -> [WholeProcessCase] {
    bounds(scene) + decoding(scene) + replays(scene) + others(scene)
  }

  private static func bounds(_ scene: Scene) -> [WholeProcessCase] {
    var cases = [
      WholeProcessCase(name: "empty process", arguments: ["/bin/true"], count: 1, unit: "starts")
    ]
    for kind in Journey.Kind.allCases {
      for form in TrackForm.allCases {
        cases.append(
          WholeProcessCase(
            name: bound(of: kind, form),
            arguments: [
              scene.benchmark, "bound", form == .gpx ? "tags" : "newlines",
              scene.track(kind, form),
            ],
            count: scene.fixes, unit: "fixes"))
      }
    }
    for count in scene.places {
      cases.append(
        WholeProcessCase(
          name: "plain inserts of \(count) places",
          arguments: [
            scene.benchmark, "bound", "inserts", scene.placeFile(count),
            scene.folder + "/inserts.sqlite",
          ], count: count, unit: "places"))
    }
    return cases
  }

  private static func bound(of kind: Journey.Kind, _ form: TrackForm) -> String {
    "memchr \(form == .gpx ? "<" : "newline") in \(kind).\(form)"
  }

  private static func decoding(_ scene: Scene) -> [WholeProcessCase] {
    TrackForm.allCases.map { form in
      WholeProcessCase(
        name: "decode \(Journey.Kind.drive).\(form)",
        arguments: [scene.benchmark, "decode", scene.track(.drive, form)],
        count: scene.fixes, unit: "fixes", bound: bound(of: .drive, form))
    }
  }

  private static func replays(_ scene: Scene) -> [WholeProcessCase] {
    let rules: [(name: String, options: [String])] = [
      ("", []), (" adaptive", ["--refresh", "adaptive"]), (" oracle", ["--limit", "none"]),
    ]
    var cases: [WholeProcessCase] = []
    for places in scene.places {
      for kind in Journey.Kind.allCases {
        for form in TrackForm.allCases {
          for rule in rules where rule.options.isEmpty || form == .nmea {
            cases.append(
              WholeProcessCase(
                name: "replay \(kind).\(form) \(places) places\(rule.name)",
                arguments: [
                  scene.fencepost, "replay", scene.track(kind, form), "--store",
                  scene.store(places), "--format", "ndjson",
                ] + rule.options,
                count: scene.fixes, unit: "fixes", bound: bound(of: kind, form)))
          }
        }
      }
    }
    return cases + dense(scene)
  }

  /// The adaptive rule beside the fixed one where places stand close together.
  private static func dense(_ scene: Scene) -> [WholeProcessCase] {
    var cases: [WholeProcessCase] = []
    for kind in Journey.Kind.allCases {
      let fixed = "replay \(kind).nmea dense"
      for rule in ["fixed", "adaptive"] {
        cases.append(
          WholeProcessCase(
            name: rule == "fixed" ? fixed : fixed + " adaptive",
            arguments: [
              scene.fencepost, "replay", scene.track(kind, .nmea), "--store", scene.denseStore,
              "--format", "ndjson", "--refresh", rule,
            ],
            count: scene.fixes, unit: "fixes",
            bound: rule == "fixed" ? bound(of: kind, .nmea) : fixed))
      }
    }
    return cases
  }

  private static func others(_ scene: Scene) -> [WholeProcessCase] {
    var cases: [WholeProcessCase] = []
    for places in scene.places {
      let store = scene.folder + "/import.sqlite"
      cases.append(
        WholeProcessCase(
          name: "import \(places) places",
          arguments: [
            scene.fencepost, "places", "import", scene.placeFile(places), "--store", store,
          ],
          count: places, unit: "places", bound: "plain inserts of \(places) places",
          removedFirst: [store, store + "-journal", store + "-wal", store + "-shm"]))
    }
    guard let most = scene.places.max(), let least = scene.places.min() else { return cases }
    cases.append(
      WholeProcessCase(
        name: "start",
        arguments: [
          scene.fencepost, "replay", scene.folder + "/ten.nmea", "--store", scene.store(most),
          "--format", "ndjson",
        ], count: 1, unit: "starts", bound: "empty process"))
    // Every track is held against every place: a million of them are no stories.
    for jobs in [1, 2] {
      cases.append(
        WholeProcessCase(
          name: "analyze, \(jobs) \(jobs == 1 ? "job" : "jobs")",
          arguments: [
            scene.fencepost, "analyze", scene.folder + "/tracks", "--store", scene.store(least),
            "--jobs", "\(jobs)", "--format", "ndjson",
          ], count: 1_000_000, unit: "fixes", bound: jobs == 1 ? nil : "analyze, 1 job",
          isWall: true))
    }
    return cases
  }
}

extension WholeProcessCase.Scene {
  func track(_ kind: Journey.Kind, _ form: TrackForm) -> String {
    "\(folder)/\(kind)-\(fixes).\(form)"
  }

  var denseStore: String { "\(folder)/places-dense.sqlite" }

  func placeFile(_ count: Int) -> String { "\(folder)/places-\(count).csv" }

  func store(_ count: Int) -> String { "\(folder)/places-\(count).sqlite" }
}
