import FencepostFormats
import FencepostGeodesy
import FencepostNotifications

// What a page calls, here and in Studio.swift; the program of the conformance suite also calls
// Replays.swift. Texts are UTF-8 in memory from `fencepost_allocate`, and handles live until they
// are destroyed. A call that refuses what it is given returns no handle, and the sentence about it
// is the text of `fencepost_message`.

/// Memory or an object in the hands of the page, which frees or destroys it once.
typealias Handle = UnsafeMutableRawPointer

/// The sentence about the last refusal.
// A module has one thread.
nonisolated(unsafe) var message = OutputBuffer(capacity: 256)

// The page frees it.
/// Lends the page memory for a text or a column, aligned for any number.
@_cdecl("fencepost_allocate")
func allocate(_ count: Int32) -> Handle {
  unsafe .allocate(byteCount: max(1, Int(count)), alignment: 16)
}

// The page passes only memory from `fencepost_allocate`.
/// Takes back memory that was lent.
@_cdecl("fencepost_free")
func release(_ memory: Handle) { unsafe memory.deallocate() }

// The text stays where it is until the next call.
/// The beginning of the sentence about the last refusal, or of the last answer, in UTF-8.
@_cdecl("fencepost_message")
func refusal() -> UnsafePointer<UInt8> { unsafe message.start }

/// The length of that text in bytes; 0 if nothing was refused.
@_cdecl("fencepost_message_length")
func refusalLength() -> Int32 { Int32(unsafe message.count) }

// MARK: Time zones

// Both texts live through the call.
/// Takes the rules of a zone, a file of the time zone database, before rules that name the zone.
///
/// Returns whether the file can be read (TZif, RFC 9636).
@_cdecl("fencepost_zone")
func takeZone(_ name: Handle, _ nameLength: Int32, _ file: Handle, _ length: Int32) -> Bool {
  let name = unsafe text(name, nameLength)
  guard let zone = ZoneFile(unsafe Array(UnsafeRawBufferPointer(start: file, count: Int(length))))
  else { return false }
  unsafe ZoneFile.given[name] = zone
  return true
}

// MARK: Documents

// The page lends `length` bytes, and the handle keeps the object.
/// Makes an object of a document, and keeps the sentence about what is wrong with it.
func attempt<Object: AnyObject>(
  _ json: Handle, _ length: Int32, _ body: (JSONNode) throws(JSONPathError) -> Object
) -> Handle? {
  message.removeAll()
  let bytes = unsafe UnsafeBufferPointer(
    start: json.assumingMemoryBound(to: UInt8.self), count: Int(length))
  do throws(JSONError) {
    let document = JSONNode(try JSONValue(parsing: unsafe bytes.span))
    do throws(JSONPathError) {
      return unsafe Unmanaged.passRetained(try body(document)).toOpaque()
    } catch {
      message.append(verbatim: error.description)
    }
  } catch {
    message.append(verbatim: error.sentence)
  }
  return nil
}

// The text has `length` bytes.
/// A copy of a text from the page; bytes that are not UTF-8 are replaced.
func text(_ start: Handle, _ length: Int32) -> String {
  unsafe String(
    decoding: UnsafeRawBufferPointer(start: start, count: Int(length)), as: UTF8.self)
}
