import FencepostSession
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring

// MARK: Places

// The text has `length` bytes.
/// Takes a JSON array of places.
///
/// Returns the handle of their index, or nil if one of them is wrong.
@_cdecl("fencepost_places_create")
func createPlaces(_ json: Handle, _ length: Int32) -> Handle? {
  unsafe attempt(json, length) { (document) throws(JSONPathError) in
    var places: [Place] = []
    for node in try document.elements() { places.append(try Place(node)) }
    return try index(of: places)
  }
}

// The page destroys a handle once.
/// Gives up a handle of places; sessions keep what they need.
@_cdecl("fencepost_places_destroy")
func destroyPlaces(_ places: Handle) { unsafe Unmanaged<PlaceIndex>.fromOpaque(places).release() }

// MARK: Sessions

// The texts live through the call, and the handle until the page destroys it.
/// Begins a track; `events` has a bit for each kind, as `EventSelection` numbers them.
///
/// Returns nil if the rules or the phone in them are wrong.
@_cdecl("fencepost_session_create")
func createSession(
  _ places: Handle, _ rules: Handle, _ length: Int32, _ name: Handle, _ nameLength: Int32,
  _ events: Int32, _ isWhole: Bool, _ countsMisses: Bool
) -> Handle? {
  let places = unsafe Unmanaged<PlaceIndex>.fromOpaque(places).takeUnretainedValue()
  let name = unsafe text(name, nameLength)
  return unsafe attempt(rules, length) { (document) throws(JSONPathError) in
    let rules = try SessionRules(document)
    return Session(
      name: name, device: nil, places: try noticed(places, by: rules), rules: rules,
      selection: EventSelection(rawValue: UInt8(truncatingIfNeeded: events)),
      isWhole: isWhole, countsMisses: countsMisses)
  }
}

// Both handles live until the page destroys them.
/// Follows other places from the last fix on.
@_cdecl("fencepost_session_replace")
func replacePlaces(_ session: Handle, _ places: Handle) -> Bool {
  message.removeAll()
  let session = unsafe Unmanaged<Session>.fromOpaque(session).takeUnretainedValue()
  let places = unsafe Unmanaged<PlaceIndex>.fromOpaque(places).takeUnretainedValue()
  session.begin()
  do throws(JSONPathError) {
    let noticed = try noticed(places, by: session.rules)
    // Nothing can fail in memory.
    try? session.replace(noticed)
    return true
  } catch {
    unsafe message.append(verbatim: error.description)
    return false
  }
}

// Each column has `count` values.
/// Follows fixes, a row each: milliseconds since 1970 or `Fix.noTime`, latitude and longitude in
/// degrees, accuracy in meters and speed in meters per second or NaN, and the segment.
@_cdecl("fencepost_session_feed")
func feedSession(
  _ session: Handle, _ count: Int32, _ times: UnsafePointer<Int64>,
  _ latitudes: UnsafePointer<Double>, _ longitudes: UnsafePointer<Double>,
  _ accuracies: UnsafePointer<Float>, _ speeds: UnsafePointer<Float>,
  _ segments: UnsafePointer<Int32>
) {
  let session = unsafe Unmanaged<Session>.fromOpaque(session).takeUnretainedValue()
  session.begin()
  for start in stride(from: 0, to: Int(count), by: Session.batchCount) {
    // Nothing can fail in memory.
    try? session.feed { fixes in
      fixes = (start..<min(Int(count), start + Session.batchCount)).map { index in
        unsafe fix(index, times, latitudes, longitudes, accuracies, speeds, segments)
      }
    }
  }
}

// Each column has more than `index` values.
/// Makes a fix of a row of the columns.
func fix(
  _ index: Int, _ times: UnsafePointer<Int64>, _ latitudes: UnsafePointer<Double>,
  _ longitudes: UnsafePointer<Double>, _ accuracies: UnsafePointer<Float>,
  _ speeds: UnsafePointer<Float>, _ segments: UnsafePointer<Int32>
) -> Fix {
  var fix = Fix(
    coordinate: Coordinate(
      latitudeDegrees: unsafe latitudes[index], longitudeDegrees: unsafe longitudes[index]),
    segmentIndex: unsafe segments[index], accuracyMeters: unsafe accuracies[index],
    speedMetersPerSecond: unsafe speeds[index])
  fix.rawTimeMilliseconds = unsafe times[index]
  return fix
}

// The handle lives until the page destroys it.
/// Ends the track.
@_cdecl("fencepost_session_finish")
func finishSession(_ session: Handle) {
  let session = unsafe Unmanaged<Session>.fromOpaque(session).takeUnretainedValue()
  session.begin()
  // Nothing can fail in memory.
  try? session.finish()
}

// The handle lives until the page destroys it.
/// The lines of the last call, which stay where they are until the next one.
@_cdecl("fencepost_session_events")
func eventsOfSession(_ session: Handle) -> UnsafePointer<UInt8> {
  unsafe Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().output.start
}

// The handle lives until the page destroys it.
/// The length of these lines in bytes.
@_cdecl("fencepost_session_events_length")
func eventsLength(_ session: Handle) -> Int32 {
  Int32(unsafe Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().output.count)
}

// The page destroys a handle once.
/// Gives up a session, whether or not it was finished.
@_cdecl("fencepost_session_destroy")
func destroySession(_ session: Handle) { unsafe Unmanaged<Session>.fromOpaque(session).release() }

// MARK: Parts

/// The places as the phone of the rules notices them.
private func noticed(
  _ places: PlaceIndex, by rules: SessionRules
) throws(JSONPathError) -> PlaceIndex {
  guard let profile = rules.profile else { return places }
  let phone = PhoneRules(try JSONNode(.string(profile), path: "profile").phoneProfile())
  return phone.changesCircles ? try index(of: phone.noticed(places.places)) : places
}

/// Indexes places; a fault becomes the path of the place in the document.
private func index(of places: [Place]) throws(JSONPathError) -> PlaceIndex {
  do throws(PlaceIndexError) {
    return try PlaceIndex(places)
  } catch {
    throw JSONPathError(path: "[\(error.index)]", sentence: error.description)
  }
}
