import FencepostAnalysis
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting
import FoundationEssentials

/// The studio as one file that needs neither a server nor a network.
///
/// The page is the studio's own, with the answers to its questions in it. It plays and explains;
/// it cannot try changes.
package struct SentPage {
  /// Explanations have no log after this many bytes, those of entered stories first.
  private static let mostLogged = 150_000
  /// Explanations stop after this many bytes.
  private static let mostExplained = 350_000

  /// Why there is no page: a sentence without a period.
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
  }

  private let trials: StudioTrials
  private let rules: StudioRules
  private let hasPhone: Bool
  private let tracks: Int
  private let note: String
  private let library: PageWriter.MapLibrary
  /// The walk to open first.
  private var first = 0
  /// The rest of the first view, as in the studio's address; empty for the whole walk.
  var view = ""

  /// Prepares the page of a scene, which opens with the walk of the index `track`.
  ///
  /// The page contains no paths of files, and no notices about them.
  ///
  /// - Throws: `PlaceStoreError`, `PlaceIndexError`, or ``Refusal`` if no walk is left.
  package init(
    _ scene: StudioScene, track: Int = 0, privacy: WalkPrivacy = WalkPrivacy(),
    library: PageWriter.MapLibrary, jobs: Int
  ) throws {
    let kept = privacy.apply(to: scene.tracks)
    guard !kept.isEmpty else {
      throw Refusal(
        description: scene.tracks.isEmpty
          ? "there is no walk to send"
          : "no walk gets farther than that from its start and end, so nothing is left to show")
    }
    let name = scene.store.path.split(separator: "/").last.map(String.init) ?? "stories"
    var sent = StudioScene(
      tracks: kept.map(\.track),
      store: try .inMemory(of: try scene.store.allPlaces(), path: name), canSave: false,
      setting: scene.setting, zone: scene.zone)
    sent.phones = scene.phones
    trials = try StudioTrials(sent, jobs: jobs)
    rules = StudioRules(scene.setting, zone: scene.zone)
    hasPhone = scene.setting.phone != nil
    tracks = kept.count
    note = privacy.words(removed: scene.tracks.count - kept.count)
    self.library = library
    first = kept.firstIndex { $0.index == track } ?? 0
  }

  /// Answers all questions of the page and returns it.
  ///
  /// - Throws: An error with a sentence if a track cannot be followed.
  package func make() async throws -> [UInt8] {
    var answers: [[UInt8]] = []
    for track in 0..<tracks {
      guard let answer = try await trials.answer(question(track)) else { break }
      answers.append(answer)
    }
    await trials.finish()
    let progress = await trials.progress(nil)
    if hasPhone { try await trials.simulate(question(first)) }
    let chances = await trials.chancesOfAllTracks()
    let explanations = try await explanations()
    let (scene, base) = (await trials.scene, await trials.base)
    let map = await trials.baseMap()
    return page(
      StudioWire.object {
        $0.member("note", note)
        $0.member("view", view)
        $0.member("first", first)
        $0.key("scene")
        $0.append(StudioWire.scene(scene, base).span)
        $0.key("basemap")
        $0.append(map.span)
        $0.array("tracks", scene.tracks) { $0.append(StudioWire.track($1).span) }
        $0.array("answers", answers) { $0.append($1.span) }
        $0.key("progress")
        $0.append(progress.span)
        $0.array("chances", chances) { $0.append($1.span) }
        $0.array("explanations", explanations) { output, one in
          output.appendObject {
            $0.member("track", one.track)
            $0.member("story", one.story)
            $0.key("answer")
            $0.append(one.answer.span)
          }
        }
      })
  }

  private func question(_ track: Int, story: String? = nil) -> StudioQuestion {
    StudioQuestion(number: 0, changes: [:], rules: rules, track: track, story: story)
  }

  private typealias Explanation = (track: Int, story: String, answer: [UInt8])

  /// Explanations of stories that a walk enters, then of the others.
  private func explanations() async throws -> [Explanation] {
    var found: [Explanation] = []
    var bytes = 0
    let entered = await trials.enteredStories()
    let all = await trials.base.map(\.id)
    for isEntered in [true, false] {
      for track in 0..<tracks {
        for story in all where entered[track].contains(story) == isEntered {
          guard bytes < Self.mostExplained else { return found }
          let answer = try await trials.explain(
            question(track, story: story), hasLog: bytes < Self.mostLogged)
          found.append((track, story, answer))
          bytes += answer.count
        }
      }
    }
    return found
  }

  // MARK: The file

  /// Nothing but the page's own parts may run or load; streets come only if the reader asks.
  private static let policy =
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    + "img-src data: https://tile.openstreetmap.org"

  /// The studio's page with its styles, scripts and data inside.
  private func page(_ data: [UInt8]) -> [UInt8] {
    var output = OutputBuffer()
    for line in String(decoding: Pages.file("studio.html"), as: UTF8.self).split(separator: "\n") {
      switch line {
      case let line where line.hasPrefix("<link rel=\"stylesheet\"") || line.hasPrefix("<script"):
        continue
      case "</head>":
        output.append(verbatim: "<meta http-equiv=\"Content-Security-Policy\" content=\"")
        output.append(verbatim: Self.policy + "\">\n<style>\n" + library.style)
        output.append(file: "studio.css")
        output.append("</style>\n")
      case "</body>":
        output.append("<script type=\"application/json\" id=\"sent\">")
        appendInScript(data, to: &output)
        output.append("</script>\n")
        output.append(verbatim: "<script>\(library.script)</script>\n<script>")
        output.append(file: "shared.js")
        output.append("</script>\n")
        appendModules(to: &output)
      default: break
      }
      output.append(verbatim: line + "\n")
    }
    return Array(output.text.utf8)
  }

  /// Browsers load no modules from files beside a page, so the modules are addresses of data.
  private func appendModules(to output: inout OutputBuffer) {
    let modules = Pages.files.filter { $0.key.hasPrefix("studio") && $0.key.hasSuffix(".js") }
    let addresses = modules.sorted { $0.key < $1.key }.map { name, bytes in
      let script = String(decoding: bytes, as: UTF8.self).replacing("from './", with: "from '")
      let address = "data:text/javascript;base64," + Data(script.utf8).base64EncodedString()
      return "\"\(name)\":\"\(address)\""
    }
    output.append(verbatim: "<script type=\"importmap\">{\"imports\":{")
    output.append(verbatim: addresses.joined(separator: ",\n"))
    output.append(verbatim: "}}</script>\n<script type=\"module\">import 'studio.js';</script>\n")
  }

  /// Appends JSON so that it cannot end the script element that it is in.
  private func appendInScript(_ json: [UInt8], to output: inout OutputBuffer) {
    // In JSON, a less-than sign occurs only inside strings.
    for (index, part) in json.split(separator: 0x3C, omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { output.append("\\u003c") }
      output.append(Array(part).span)
    }
  }
}
