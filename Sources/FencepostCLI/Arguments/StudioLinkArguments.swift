import ArgumentParser
import FencepostStudio

/// Where a page's contents open in a studio.
struct StudioLinkArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address of a studio of the same tracks and places, in which the page's contents open.",
      discussion: """
        The one that `fencepost studio` prints. Give the studio a fixed --listen and --token, so \
        that the page's links last.
        """,
      valueName: "address"))
  var studio: String?

  func validate() throws {
    if let studio, StudioLink(address: studio) == nil {
      throw ValidationError("--studio takes an address such as http://127.0.0.1:8080/?token=secret")
    }
  }

  /// The link; nil if none is wanted.
  var link: StudioLink? { studio.flatMap { StudioLink(address: $0) } }

  /// Checks that there is a page to hold the link.
  func check(_ report: String?) throws {
    if studio != nil, report == nil { throw ValidationError("--studio needs --report") }
  }
}
