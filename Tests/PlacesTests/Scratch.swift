import FencepostGeodesy
import Glibc
import FencepostPlaces

/// A folder of its own for a test's files, removed with it.
final class Scratch {
  let folder: String

  init() {
    var random = SystemRandomNumberGenerator()
    folder = "/tmp/fencepost-places-\(getpid())-\(String(random.next(), radix: 36))"
    unsafe _ = mkdir(folder, 0o755)
  }

  deinit {
    _ = run("rm -rf '\(folder)'")
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Writes a file and returns its path.
  func file(_ name: String, _ bytes: [UInt8]) -> String {
    let path = path(name)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress, buffer.count)
      }
      guard count > 0 else { break }
      written += count
    }
    close(descriptor)
    return path
  }

  func file(_ name: String, _ text: String) -> String { file(name, Array(text.utf8)) }

  /// The bytes of a file, empty if it is missing.
  static func bytes(_ path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { storage in
        unsafe read(descriptor, storage.baseAddress, storage.count)
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Runs a shell command and returns its output, and its status in the last line.
  func run(_ command: String) -> String {
    guard let pipe = unsafe popen("\(command) 2>&1; echo \"status $?\"", "r") else { return "" }
    defer { unsafe _ = pclose(pipe) }
    var output = ""
    var line = [CChar](repeating: 0, count: 4096)
    while unsafe fgets(&line, Int32(line.count), pipe) != nil {
      output += String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return output
  }

  /// Whether a program is installed.
  func has(_ program: String) -> Bool { run("command -v \(program)").hasSuffix("status 0\n") }

  /// Makes a store of circles, whose ids are `0`, `1`, … in their order.
  func store(_ circles: [SampleCircle], name: String = "places.db") throws -> PlaceStore {
    var text = "id,lat,lon,radius\n"
    for (index, circle) in circles.enumerated() {
      text += "\(index),\(circle.coordinate.latitudeDegrees),"
      text += "\(circle.coordinate.longitudeDegrees),\(circle.radiusMeters)\n"
    }
    let store = path(name)
    _ = try PlaceStore.importPlaces(from: [file(name + ".csv", text)], into: store)
    return try PlaceStore(path: store)
  }
}

/// A synthetic place.
struct SampleCircle {
  var coordinate: Coordinate
  var radiusMeters: Double
}
