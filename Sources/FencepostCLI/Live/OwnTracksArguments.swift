import ArgumentParser
import FencepostLive
import Foundation

/// What OwnTracks' encrypted messages are opened with.
struct OwnTracksArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the key that OwnTracks encrypts with; several, one a line, are tried in turn.",
      valueName: "file"),
    completion: .file())
  var owntracksKeys: String?

  /// The keys of OwnTracks, if any.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or holds no key.
  func keys() throws -> OwnTracksKeys? {
    guard let path = owntracksKeys else { return nil }
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw CommandFailure(.inputMissing, "\(path): cannot be read as UTF-8 text")
    }
    do throws(OwnTracksKeyError) {
      return try OwnTracksKeys(text)
    } catch {
      throw CommandFailure(.inputBad, "\(path): \(error)")
    }
  }
}
