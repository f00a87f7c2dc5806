import FencepostFiles
import FencepostFormats
import Glibc
import Testing

/// A file that is deleted when the test is over.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    var template = Array("/tmp/formats-test-XXXXXX".utf8CString)
    // The template is ours; the call writes the name into it.
    let descriptor = unsafe mkstemp(&template)
    try #require(descriptor >= 0)
    path = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  deinit {
    unsafe unlink(path)
  }
}

@Suite("Byte sources")
struct ByteSourceTests {
  private func readAll(_ source: inout ByteSource) throws -> [UInt8] {
    var all: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { all += chunk }
    return all
  }

  private func read(_ source: inout ByteSource, _ chunk: inout [UInt8]) throws -> Bool {
    try source.read(into: &chunk)
  }

  @Test("deliver bytes in memory in chunks", arguments: [1, 3, 7, 8, 100])
  func memory(chunkBytes: Int) throws {
    let bytes = Array(UInt8(0)..<8)
    var source = ByteSource(bytes: bytes, name: "a frame", chunkBytes: chunkBytes)
    #expect(source.name == "a frame")
    var chunk: [UInt8] = []
    #expect(try read(&source, &chunk))
    #expect(chunk == Array(bytes.prefix(chunkBytes)))
    #expect(chunk + (try readAll(&source)) == bytes)
    // The end stays the end.
    #expect(try !read(&source, &chunk))
    #expect(chunk.isEmpty)
  }

  @Test("deliver a file in chunks")
  func file() throws {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let file = try TemporaryFile(bytes)
    var source = try ByteSource(path: file.path, chunkBytes: 64)
    var chunk: [UInt8] = []
    #expect(try read(&source, &chunk))
    #expect(chunk == Array(bytes[..<64]))
    #expect(try readAll(&source) == Array(bytes[64...]))
    #expect(try read(&source, &chunk) == false)
    #expect(chunk.isEmpty)
  }

  @Test("distinguish missing files, directories and forbidden files")
  func failures() throws {
    func kind(_ path: String) -> ByteSourceError.Kind? {
      do throws(ByteSourceError) {
        _ = try ByteSource(path: path)
        return nil
      } catch { return error.kind }
    }
    #expect(kind("/tmp/there-is-no-such-file") == .missing)
    #expect(kind("/dev/null/x") == .missing)
    #expect(kind("/tmp") == .directory)
    #expect(kind("/dev/null") == nil)
    let error = ByteSourceError(kind: .system(errno: EACCES), name: "walk.gpx")
    #expect(error.description == "walk.gpx: Permission denied")
  }

  @Test("deliver the bytes of a pipe as they come")
  func pipes() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    var source = ByteSource(
      fileDescriptor: ends[0], name: "a pipe", closesDescriptor: true)
    var chunk: [UInt8] = []
    let sent: [UInt8] = [1, 2, 3]
    #expect(unsafe write(ends[1], sent, 3) == 3)
    #expect(try read(&source, &chunk))
    #expect(chunk == [1, 2, 3])
    close(ends[1])
    #expect(try read(&source, &chunk) == false)
  }
}
