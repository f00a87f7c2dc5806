#if Command
package import FencepostFixes
import FencepostGeodesy

/// A fix and the name of the device that it is of, as posts and messages hand it to a session.
///
/// The name decides which path the fix continues. Its length is 1 to 200 bytes, without control
/// characters.
package struct DeviceFix: Sendable, Equatable {
  /// The device's name, unique within a session.
  package var device: String
  /// The fix, not yet filtered.
  package var fix: Fix

  /// Creates the fix of a device.
  package init(device: String, fix: Fix) {
    self.device = device
    self.fix = fix
  }

  private static var mostNameBytes: Int { 200 }

  /// Why a device must not have this name; nil for one that it may have.
  static func fault(inName name: String) -> String? {
    guard 1...mostNameBytes ~= name.utf8.count else {
      return "the device's name must have 1 to \(mostNameBytes) bytes"
    }
    let hasControl = name.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0: true
      // Marks, line separators and controls of the writing direction.
      case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    return hasControl ? "the device's name contains a control character" : nil
  }
}

/// What one line, object or message states: a fix, or why it has none.
///
/// A fault is kept rather than dropped, because the sender or the user learns how many positions
/// were refused, and why.
package enum DeviceRecord: Sendable {
  /// A fix; without a device, the source or the request decides whose it is.
  case fix(device: String?, Fix)
  /// A record that should contain a fix, and why it does not.
  case fault(device: String?, Rejection)

  /// The name of the device, if the record has one.
  var device: String? {
    switch self {
    case .fix(let device, _), .fault(let device, _): device
    }
  }
}

// MARK: In a state file

/// Fixes are saved as a zero byte, the length of the device's name as two bytes, the name, and the
/// values of the fix, all of them little-endian. Their line, which is one in a post, is not saved.
///
/// No text begins with a zero byte: the state files of earlier versions have lines of JSON here.
extension DeviceFix {
  private static var mark: UInt8 { 0 }
  private static var headCount: Int { 3 }
  private static var valueCount: Int { 3 * 8 + 4 * 4 }

  /// The bytes of fixes for a state file.
  package static func bytes(of fixes: [DeviceFix]) -> [UInt8] {
    var bytes: [UInt8] = []
    for one in fixes {
      let (name, fix) = (one.device.utf8, one.fix)
      bytes.append(mark)
      bytes.append(littleEndian: UInt16(clamping: name.count))
      bytes.append(contentsOf: name.prefix(Int(UInt16.max)))
      bytes.append(littleEndian: fix.rawTimeMilliseconds)
      bytes.append(littleEndian: fix.coordinate.latitudeDegrees.bitPattern)
      bytes.append(littleEndian: fix.coordinate.longitudeDegrees.bitPattern)
      bytes.append(littleEndian: fix.segmentIndex)
      for value in [fix.accuracyMeters, fix.speedMetersPerSecond, fix.courseDegrees] {
        bytes.append(littleEndian: value.bitPattern)
      }
    }
    return bytes
  }

  /// The fixes that bytes of a state file hold, up to any damage; nil if they hold text.
  package static func fixes(in bytes: [UInt8]) -> [DeviceFix]? {
    guard bytes.first == mark else { return nil }
    var fixes: [DeviceFix] = []
    var rest = bytes[...]
    while rest.count >= headCount, rest.removeFirst() == mark {
      let nameCount = Int(rest.removeInteger(UInt16.self))
      guard rest.count >= nameCount + valueCount else { break }
      let device = String(decoding: rest.prefix(nameCount), as: UTF8.self)
      rest.removeFirst(nameCount)
      var fix = Fix(
        coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0),
        timeMilliseconds: rest.removeInteger(Int64.self))
      fix.coordinate = Coordinate(
        latitudeDegrees: Double(bitPattern: rest.removeInteger(UInt64.self)),
        longitudeDegrees: Double(bitPattern: rest.removeInteger(UInt64.self)))
      fix.segmentIndex = rest.removeInteger(Int32.self)
      fix.accuracyMeters = Float(bitPattern: rest.removeInteger(UInt32.self))
      fix.speedMetersPerSecond = Float(bitPattern: rest.removeInteger(UInt32.self))
      fix.courseDegrees = Float(bitPattern: rest.removeInteger(UInt32.self))
      fixes.append(DeviceFix(device: device, fix: fix))
    }
    return fixes
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

extension ArraySlice<UInt8> {
  /// Removes a little-endian integer from the front, where there are enough bytes.
  fileprivate mutating func removeInteger<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
    var value: Value = 0
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
      value |= Value(truncatingIfNeeded: removeFirst()) << shift
    }
    return value
  }
}
#endif
