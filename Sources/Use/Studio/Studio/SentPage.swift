#if Command
import FencepostAnalysis
import FencepostFiles
package import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
import FencepostReporting
import FoundationEssentials

/// The studio as one file that needs neither a server nor a network.
///
/// The page is the studio's own, with the engine, the walks and the stories in it. It plays,
/// explains and tries changes; what needs a server, such as saving, is hidden.
package struct SentPage {
  /// Why there is no page: a sentence without a period.
  ///
  /// The usual cause is that hiding the ends of walks leaves none.
  package struct Refusal: Error, CustomStringConvertible {
    /// The sentence, for a terminal or the studio's page.
    package var description: String
  }

  private let scene: StudioScene
  private let places: [Place]
  private let note: String
  private let library: PageWriter.MapLibrary
  /// The walk to open first.
  private let first: Int
  /// The rest of the first view, as in the studio's address; empty for the whole walk.
  var view = ""

  /// Prepares the page of a scene with these places.
  ///
  /// It opens with the walk of the index `track`, or the first if that one is left out. The page
  /// contains no paths of files, and no notices about them.
  ///
  /// - Throws: `PlaceIndexError`, or ``Refusal`` if no walk is left.
  package init(
    _ scene: StudioScene, _ places: [Place], track: Int = 0, privacy: WalkPrivacy = WalkPrivacy(),
    library: PageWriter.MapLibrary
  ) throws {
    let kept = privacy.apply(to: scene.tracks)
    guard !kept.isEmpty else {
      throw Refusal(
        description: scene.tracks.isEmpty
          ? "there is no walk to send"
          : "no walk gets farther than that from its start and end, so nothing is left to show")
    }
    self.places = try PlaceIndex(places).places
    var sent = StudioScene(
      tracks: kept.map(\.track), store: scene.store, canSave: false, setting: scene.setting,
      zone: scene.zone, fixes: scene.fixes)
    sent.phones = scene.phones
    self.scene = sent
    note = privacy.words(removed: scene.tracks.count - kept.count)
    self.library = library
    first = kept.firstIndex { $0.index == track } ?? 0
  }

  /// Returns the page.
  package func make() throws -> [UInt8] {
    let name = scene.store.path.split(separator: "/").last.map(String.init) ?? "stories"
    let wire = try StudioWire.scene(scene, places, storeName: name)
    let data = StudioWire.object {
      $0.member("note", note)
      $0.member("view", view)
      $0.member("first", first)
      $0.key("scene")
      $0.append(wire.span)
      $0.array("tracks", scene.tracks) { $0.append(StudioWire.track($1, of: scene).span) }
      $0.object("zones") { output in
        for name in zones {
          guard let file = ZoneFile.bytes(named: name) else { continue }
          output.key(named: name)
          output.append(json: Self.base64(file))
        }
      }
      $0.member("worker", String(decoding: Pages.file("engine-worker.js"), as: UTF8.self))
      $0.member("module", Self.base64(Pages.file("engine.wasm.gz")))
    }
    return page(gzip(data))
  }

  /// The names of the zones that the scene and its rules need.
  private var zones: [String] {
    let rules = StudioRules(scene.setting, zone: scene.zone)
    return Set([scene.zone.identifier, rules.zone]).sorted()
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  // MARK: The file

  /// Nothing but the page's own parts may run or load; streets come only if the reader asks.
  private static let policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data:; worker-src data:; "
    + "style-src 'unsafe-inline'; img-src data: https://tile.openstreetmap.org"

  /// The studio's page with its styles, scripts and compressed data inside.
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
        output.append(
          verbatim: "<script type=\"text/plain\" id=\"sent\">\(Self.base64(data))</script>\n")
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
      let address = "data:text/javascript;base64," + Self.base64(Array(script.utf8))
      return "\"\(name)\":\"\(address)\""
    }
    output.append(verbatim: "<script type=\"importmap\">{\"imports\":{")
    output.append(verbatim: addresses.joined(separator: ",\n"))
    output.append(verbatim: "}}</script>\n<script type=\"module\">import 'studio.js';</script>\n")
  }
}
#endif
