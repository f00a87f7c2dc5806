import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostOutput
import FoundationEssentials
import Glibc

// The functions of fencepost.h, which says what each does and how long what it hands out lives.

/// The statuses of fencepost.h.
///
/// A failing function returns the one of its own subject, whatever the cause. The header numbers
/// them, so the order never changes.
enum Status: Int32 {
  /// The function did what it says.
  case done = 0
  /// The list of places is not JSON, or has a place that cannot be indexed.
  case places
  /// The rules, the phone in them or the list of events are wrong.
  case rules
  /// The fixes or the file could not be followed to the end.
  case track
  /// A snapshot cannot be written, or does not fit what it is restored with.
  case snapshot
}

/// Places or a session in the hands of a C program, which must destroy them.
package typealias Handle = UnsafeMutableRawPointer
/// Where a message for the user goes, which the caller frees; nil if the caller wants none.
package typealias Message = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// The version of the interface: changes with any change that could break a caller.
@_cdecl("fencepost_interface_version")
package func interfaceVersion() -> Int32 { 1 }

// The caller passes only memory that this library has allocated.
/// Frees a message or a snapshot that this library has handed out; nil is allowed.
@_cdecl("fencepost_free")
package func release(_ memory: UnsafeMutableRawPointer?) { unsafe free(memory) }

// MARK: Places

// The text has `length` bytes, and the caller owns where the handle goes.
/// Indexes a JSON array of places, and hands out a handle of the index.
///
/// An object has `id`, `lat` and `lon` in degrees, and perhaps the other fields of a place. The
/// first fault makes the whole list fail, and the message names its index.
@_cdecl("fencepost_places_create")
package func createPlaces(
  _ json: UnsafePointer<UInt8>?, _ length: Int64, _ places: UnsafeMutablePointer<Handle?>,
  _ message: Message?
) -> Int32 {
  unsafe attempt(.places, message) {
    let list = try unsafe JSONDecoder().decode([Place].self, from: data(json, length))
    unsafe places.pointee = handle(of: try PlaceIndex(list))
  }
}

// The handle lives until the caller destroys it.
/// Returns the number of places in an index.
@_cdecl("fencepost_places_count")
package func countPlaces(_ places: Handle) -> Int64 {
  Int64((unsafe object(places) as PlaceIndex).placeCount)
}

// The caller destroys a handle once.
/// Gives up a handle of places; sessions that use them keep what they need.
@_cdecl("fencepost_places_destroy")
package func destroyPlaces(_ places: Handle?) { unsafe destroy(places, PlaceIndex.self) }

// MARK: Sessions

// The texts live through the call, and the caller owns where the handle goes.
/// Begins a track among places, and hands out a handle of its session.
///
/// `rules` is the JSON that `fencepost rules` writes; empty for the default rules. `events` lists
/// the kinds to report, such as `alert,summary`. Bit 0 of `flags` says that the track is whole, and
/// bit 1 that misses count.
@_cdecl("fencepost_session_create")
package func createSession(
  _ places: Handle, _ rules: UnsafePointer<UInt8>?, _ rulesLength: Int64,
  _ name: UnsafePointer<CChar>, _ device: UnsafePointer<CChar>?, _ events: UnsafePointer<CChar>,
  _ flags: Int32, _ session: UnsafeMutablePointer<Handle?>, _ message: Message?
) -> Int32 {
  unsafe attempt(.rules, message) {
    let rules = try unsafe sessionRules(rules, rulesLength)
    let made = Session(
      name: unsafe String(cString: name), device: unsafe device.map { unsafe String(cString: $0) },
      places: try rules.noticed(unsafe object(places)), rules: rules,
      selection: try EventSelection(parsing: unsafe String(cString: events)),
      isWhole: flags & 1 != 0, countsMisses: flags & 2 != 0)
    unsafe session.pointee = handle(of: made)
  }
}

// The texts live through the call, and the caller owns where the handle goes.
/// Continues a track from a snapshot, among the same places or newer ones.
///
/// The rules must be those of the session that wrote the snapshot. Misses do not count afterward.
@_cdecl("fencepost_session_restore")
package func restoreSession(
  _ places: Handle, _ rules: UnsafePointer<UInt8>?, _ rulesLength: Int64,
  _ snapshot: UnsafePointer<UInt8>?, _ length: Int64, _ events: UnsafePointer<CChar>,
  _ session: UnsafeMutablePointer<Handle?>, _ message: Message?
) -> Int32 {
  unsafe attempt(.snapshot, message) {
    let saved = try unsafe JSONDecoder().decode(Session.Snapshot.self, from: data(snapshot, length))
    let rules = try unsafe sessionRules(rules, rulesLength)
    let made = try Session(
      continuing: saved, places: try rules.noticed(unsafe object(places)), rules: rules,
      selection: EventSelection(parsing: unsafe String(cString: events)))
    unsafe session.pointee = handle(of: made)
  }
}

// The copy has as many bytes as are written to it; the caller frees it.
/// Hands out the state of a session as bytes, which another process may restore.
///
/// Not for a whole track: the state leaves out fixes that wait for its end.
@_cdecl("fencepost_session_snapshot")
package func snapshotSession(
  _ session: Handle, _ bytes: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ length: UnsafeMutablePointer<Int64>, _ message: Message?
) -> Int32 {
  unsafe attempt(.snapshot, message) {
    let saved = try StateEncoder.bytes(of: (unsafe object(session) as Session).snapshot)
    guard let copy = unsafe malloc(max(1, saved.count)) else { throw OutOfMemory() }
    unsafe saved.withUnsafeBytes {
      if let start = $0.baseAddress { unsafe copy.copyMemory(from: start, byteCount: $0.count) }
    }
    unsafe bytes.pointee = copy
    unsafe length.pointee = Int64(saved.count)
  }
}

// Each column that is there has `count` values.
/// Follows the next fixes, given by column, in batches of `Session.batchCount`.
///
/// Times are in milliseconds since 1970, positions in degrees, accuracies in meters and speeds in
/// meters per second. A column that is nil leaves the value of each fix unknown.
@_cdecl("fencepost_session_feed")
package func feedSession(
  _ session: Handle, _ count: Int64, _ times: UnsafePointer<Int64>?,
  _ latitudes: UnsafePointer<Double>, _ longitudes: UnsafePointer<Double>,
  _ accuracies: UnsafePointer<Float>?, _ speeds: UnsafePointer<Float>?,
  _ segments: UnsafePointer<Int32>?, _ message: Message?
) -> Int32 {
  let session: Session = unsafe object(session)
  session.begin()
  return unsafe attempt(.track, message) {
    for start in stride(from: 0, to: Int(count), by: Session.batchCount) {
      try session.feed { fixes in
        let end = min(Int(count), start + Session.batchCount)
        fixes.reserveCapacity(end - start)
        for index in start..<end {
          var fix = Fix(
            coordinate: Coordinate(
              latitudeDegrees: unsafe latitudes[index], longitudeDegrees: unsafe longitudes[index]))
          if let times = unsafe times { fix.rawTimeMilliseconds = unsafe times[index] }
          if let accuracies = unsafe accuracies { fix.accuracyMeters = unsafe accuracies[index] }
          if let speeds = unsafe speeds { fix.speedMetersPerSecond = unsafe speeds[index] }
          if let segments = unsafe segments { fix.segmentIndex = unsafe segments[index] }
          fixes.append(fix)
        }
      }
    }
  }
}

// The handle lives until the caller destroys it.
/// Follows a single fix, and returns how many bytes of events there are; most often 0.
///
/// It serves callers for whom the columns of one fix would cost more than the fix itself.
@_cdecl("fencepost_session_feed_one")
package func feedSession(
  _ session: Handle, _ time: Int64, _ latitude: Double, _ longitude: Double, _ accuracy: Float,
  _ speed: Float
) -> Int64 {
  let session: Session = unsafe object(session)
  session.begin()
  // Only a whole track can fail, for want of room for a temporary file.
  try? session.feed {
    var fix = Fix(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      accuracyMeters: accuracy, speedMetersPerSecond: speed)
    fix.rawTimeMilliseconds = time
    $0.append(fix)
  }
  return Int64(session.output.count)
}

// The path ends with NUL.
/// Follows a file of any track format as a whole track, and ends the session.
///
/// Of a damaged file, the events up to the damage are reported, and the status is `track`.
@_cdecl("fencepost_session_follow")
package func followFile(_ session: Handle, _ path: UnsafePointer<CChar>, _ message: Message?)
  -> Int32
{
  let session: Session = unsafe object(session)
  session.begin()
  return unsafe attempt(.track, message) {
    try session.follow(path: unsafe String(cString: path))
  }
}

// Both handles live until the caller destroys them.
/// Goes on among other places from the last fix on, with the same cooldowns.
@_cdecl("fencepost_session_replace_places")
package func replacePlaces(_ session: Handle, _ places: Handle, _ message: Message?) -> Int32 {
  let session: Session = unsafe object(session)
  session.begin()
  return unsafe attempt(.places, message) {
    try session.replace(try session.rules.noticed(unsafe object(places)))
  }
}

// The handle lives until the caller destroys it.
/// Ends the track: judges the fixes that still wait, and reports the summary.
@_cdecl("fencepost_session_finish")
package func finishSession(_ session: Handle, _ message: Message?) -> Int32 {
  let session: Session = unsafe object(session)
  session.begin()
  return unsafe attempt(.track, message) { try session.finish() }
}

// The bytes stay where they are until the next call with this session.
/// Returns the events of the last call as lines of JSON, and their length in bytes.
@_cdecl("fencepost_session_events")
package func eventsOfSession(_ session: Handle, _ length: UnsafeMutablePointer<Int64>)
  -> UnsafePointer<UInt8>?
{
  let session: Session = unsafe object(session)
  unsafe length.pointee = Int64(session.output.count)
  return unsafe session.output.start
}

// The caller destroys a handle once.
/// Gives up a session, whether or not it was finished; nil is allowed.
@_cdecl("fencepost_session_destroy")
package func destroySession(_ session: Handle?) { unsafe destroy(session, Session.self) }

// MARK: Handles, texts and errors

// The retain is released by `destroy`.
/// Keeps an object alive until its handle is destroyed.
private func handle(of object: some AnyObject) -> Handle {
  unsafe Unmanaged.passRetained(object).toOpaque()
}

// The header lets the caller pass only handles of this type that are not destroyed.
/// The object of a handle, which stays with the caller.
private func object<Object: AnyObject>(_ handle: Handle) -> Object {
  unsafe Unmanaged<Object>.fromOpaque(handle).takeUnretainedValue()
}

// This releases what `handle` retained.
/// Ends the life of a handle; nil does nothing.
private func destroy<Object: AnyObject>(_ handle: Handle?, _: Object.Type) {
  if let handle = unsafe handle { unsafe Unmanaged<Object>.fromOpaque(handle).release() }
}

// The caller lends `length` bytes, which are copied.
/// A copy of the caller's bytes; empty for nil.
private func data(_ bytes: UnsafePointer<UInt8>?, _ length: Int64) -> Data {
  guard let bytes = unsafe bytes else { return Data() }
  return unsafe Data(bytes: bytes, count: Int(length))
}

// The caller lends `length` bytes, which are copied.
/// The rules in a document; the default rules without one.
private func sessionRules(_ bytes: UnsafePointer<UInt8>?, _ length: Int64) throws -> SessionRules {
  guard length > 0 else { return SessionRules() }
  return try JSONDecoder().decode(SessionRules.self, from: unsafe data(bytes, length))
}

// The caller owns where the message goes.
/// Runs `body`; the status says whether it threw, and the caller frees the message.
private func attempt(_ failure: Status, _ message: Message?, _ body: () throws -> Void) -> Int32 {
  do {
    try body()
    return Status.done.rawValue
  } catch {
    unsafe message?.pointee = unsafe strdup(sentence(about: error))
    return failure.rawValue
  }
}

/// The copy of a snapshot for the caller cannot be allocated.
private struct OutOfMemory: Error, CustomStringConvertible {
  let description = "not enough memory for the snapshot"
}

/// What is wrong, in one sentence; errors of a document begin with the path of the value.
private func sentence(about error: any Error) -> String {
  guard let error = error as? DecodingError else { return "\(error)" }
  let context: DecodingError.Context
  switch error {
  case .keyNotFound(let key, let found):
    return path(found.codingPath + [key]) + ": is missing"
  case .valueNotFound(_, let found), .typeMismatch(_, let found), .dataCorrupted(let found):
    context = found
  @unknown default: return "\(error)"
  }
  let place = path(context.codingPath)
  return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
}

/// Where a value stands in a document, such as `3.lat`.
private func path(_ keys: [any CodingKey]) -> String {
  keys.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }.joined(separator: ".")
}
