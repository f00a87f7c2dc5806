#if Command
import FencepostMonitoring
import FencepostAnalysis
import FencepostReporting
import FoundationEssentials

/// Where a page's stories, tracks, moments and changes open in a studio.
///
/// The fragment of an address holds the view, the changes and the rules, which therefore never
/// reach a server.
package struct StudioLink: Sendable {
  /// The studio's address without its fragment.
  let address: String
  /// What all views share: the changes and the rules, as in the studio's addresses.
  let view: String

  /// Creates a link to a studio at an `http` or `https` address with a host, or returns nil.
  package init?(address: String) {
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host() != nil
    else { return nil }
    self.init(address: address.split(separator: "#").first.map(String.init) ?? address, view: "")
  }

  init(address: String, view: String) {
    self.address = address
    self.view = view
  }

  /// The link with changes of stories and a rule.
  func at(changes: [String: Place?], rule: MonitoringOptions?) -> StudioLink {
    var words: [String] = []
    if !changes.isEmpty {
      var output = OutputBuffer()
      output.appendObject {
        for (id, place) in changes.sorted(by: { $0.key < $1.key }) {
          $0.key(named: id)
          if let place { $0.append(place: place) } else { $0.append("null") }
        }
      }
      words.append("edits=" + Self.packed(output))
    }
    if let rule {
      var output = OutputBuffer()
      output.appendObject { $0.members(of: rule) }
      words.append("rules=" + Self.packed(output))
    }
    return StudioLink(address: address, view: words.joined(separator: "&"))
  }

  /// The link with what a question changes.
  func at(_ question: StudioQuestion) -> StudioLink {
    let edits = at(changes: question.changes.byID, rule: nil)
    var output = OutputBuffer()
    output.append(question.rules)
    let rules = "rules=" + Self.packed(output)
    return StudioLink(
      address: address, view: edits.view.isEmpty ? rules : edits.view + "&" + rules)
  }

  /// JSON as in the studio's addresses: Base64 in its URL-safe form.
  private static func packed(_ output: borrowing OutputBuffer) -> String {
    Data(output.text.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Appends the member `studio` of a page's data.
  func write(to output: inout OutputBuffer) {
    output.object("studio") {
      $0.member("address", address)
      $0.member("view", view)
    }
  }
}
#endif
