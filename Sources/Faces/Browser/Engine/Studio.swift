import FencepostSession
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones

// What the studio's page calls in its worker, with texts and handles as in the other exports.

// The text has `length` bytes.
/// Opens a studio without tracks: places, rules and phones of a scene that the page has.
///
/// The document is the scene as the server or the page's own file has it. It returns nil if a
/// place, a rule or a phone in it is wrong; the message then names the path of the fault.
@_cdecl("fencepost_studio_create")
func createStudio(_ json: Handle, _ length: Int32) -> Handle? {
  unsafe attempt(json, length) { (scene) throws(JSONPathError) in
    var places: [Place] = []
    for node in try scene.member("stories").elements() { places.append(try Place(node)) }
    var phones: [StudioPhone] = []
    for node in try scene.member("phones").elements() {
      let (word, profile) = (try node.member("word").string(), try node.member("profile"))
      phones.append(StudioPhone(word: word, profile: try profile.phoneProfile()))
    }
    let session = try SessionRules(scene.member("session")).session
    let setting = StudioSetting(
      session: session, try StudioRules(scene.member("rules")), phones)
    let zone = try scene.member("zone").zone()
    do throws(PlaceIndexError) {
      return try StudioAnswers(base: places, setting: setting, phones: phones, zone: zone)
    } catch {
      throw JSONPathError(path: "stories[\(error.index)]", sentence: error.description)
    }
  }
}

// The texts live through the call, each column has `count` values, and the handle is the page's.
/// Adds a track, with columns as `fencepost_session_feed` takes them.
///
/// Its index is the number of tracks added before.
@_cdecl("fencepost_studio_track")
func addTrack(
  _ studio: Handle, _ name: Handle, _ nameLength: Int32, _ count: Int32,
  _ times: UnsafePointer<Int64>, _ latitudes: UnsafePointer<Double>,
  _ longitudes: UnsafePointer<Double>, _ accuracies: UnsafePointer<Float>,
  _ speeds: UnsafePointer<Float>, _ segments: UnsafePointer<Int32>
) {
  let name = unsafe text(name, nameLength)
  let fixes = (0..<Int(count)).map { index in
    unsafe fix(index, times, latitudes, longitudes, accuracies, speeds, segments)
  }
  unsafe Unmanaged<StudioAnswers>.fromOpaque(studio).takeUnretainedValue()
    .add(RecordedTrack(name: name, fixes: fixes))
}

// The texts live through the call, and the handle until the page destroys it.
/// Answers a request; the answer, or the sentence about a refusal, is the text of
/// `fencepost_message`.
@_cdecl("fencepost_studio_ask")
func askStudio(
  _ studio: Handle, _ path: Handle, _ pathLength: Int32, _ body: Handle, _ length: Int32
) -> Bool {
  message.removeAll()
  let studio = unsafe Unmanaged<StudioAnswers>.fromOpaque(studio).takeUnretainedValue()
  let path = unsafe text(path, pathLength)
  let body = unsafe UnsafeBufferPointer(
    start: body.assumingMemoryBound(to: UInt8.self), count: Int(length))
  switch unsafe studio.reply(path, body.span) {
  case .success(let answer):
    message.append(answer.span)
    return true
  case .failure(let refusal):
    message.append(verbatim: refusal.description)
    return false
  }
}

extension StudioAnswers {
  // The compiler breaks a caller that catches what it throws.
  fileprivate func reply(_ path: String, _ body: Span<UInt8>) -> Result<[UInt8], StudioRefusal> {
    do throws(StudioRefusal) { return .success(try answer(path, body)) } catch {
      return .failure(error)
    }
  }
}

// The page destroys a handle once.
/// Gives up a studio with its tracks.
@_cdecl("fencepost_studio_destroy")
func destroyStudio(_ studio: Handle) {
  unsafe Unmanaged<StudioAnswers>.fromOpaque(studio).release()
}
