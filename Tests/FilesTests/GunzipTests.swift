import FencepostFiles
import FencepostFormats
import Glibc
import TestSupport
import Testing

@Suite("Gzip data")
struct GunzipTests {
  /// The output, and the fault if any.
  private func inflate(
    _ chunks: [[UInt8]], limits: Gunzip.Limits = .init(), room: Int = 1 << 16
  ) -> (output: [UInt8], error: GunzipError?) {
    var gunzip = Gunzip(limits: limits)
    var output: [UInt8] = []
    do throws(GunzipError) {
      for chunk in chunks {
        var consumed = 0
        while consumed < chunk.count {
          consumed += try gunzip.inflate(
            chunk.span.extracting(consumed..<chunk.count), into: &output, maximumBytes: room)
        }
      }
      while gunzip.holdsOutput {
        let none: [UInt8] = []
        _ = try gunzip.inflate(none.span, into: &output, maximumBytes: room)
      }
      try gunzip.finish()
      return (output, nil)
    } catch { return (output, error) }
  }

  private static let text = Array("fix one\nfix two\nfix three\n".utf8)

  @Test("that gzip makes is small and inflates to what it was", arguments: [0, 1, 100_000])
  func compressed(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let small = gzip(bytes)
    #expect(small.count < 30 + count / 10)
    let (output, error) = inflate([small])
    #expect(output == bytes)
    #expect(error == nil)
  }

  @Test("with several members are inflated, however they are cut", arguments: [1, 3, 1 << 16])
  func members(room: Int) {
    for chunks in Cuts.all(of: GzipSamples.twoLines + GzipSamples.oneLine) {
      let (output, error) = inflate(chunks, room: room)
      #expect(output == GunzipTests.text)
      #expect(error == nil)
    }
  }

  @Test("may end with zeros and nothing else")
  func padding() {
    let padded = GzipSamples.twoLines + [UInt8](repeating: 0, count: 512)
    for chunks in Cuts.all(of: padded) { #expect(inflate(chunks).error == nil) }
    for chunks in Cuts.all(of: padded + [7]) {
      let (output, error) = inflate(chunks)
      #expect(output == Array(GunzipTests.text.prefix(16)))
      #expect(error?.reason == .corrupt)
      #expect(error?.compressedByteOffset == padded.count)
    }
  }

  @Test("that end too early are inflated as far as possible, then throw an error")
  func truncated() {
    let whole = GzipSamples.twoLines + GzipSamples.oneLine
    for length in 0..<whole.count where length != GzipSamples.twoLines.count {
      let (output, error) = inflate([Array(whole[..<length])])
      #expect(error == GunzipError(reason: .truncated, compressedByteOffset: length))
      #expect(GunzipTests.text.starts(with: output))
    }
  }

  @Test("that are damaged are refused")
  func damaged() {
    var damaged = GzipSamples.twoLines
    damaged[damaged.count - 5] ^= 0x10
    let (output, error) = inflate([damaged])
    #expect(output == Array(GunzipTests.text.prefix(16)))
    #expect(error?.reason == .corrupt)
    #expect(error?.description.contains("damaged at compressed byte") == true)
    #expect(inflate([Array("<gpx></gpx>".utf8)]).error?.reason == .notGzip)
  }

  @Test("that expand too far are refused in bounded memory")
  func expansion() {
    let bomb = [[UInt8]](repeating: GzipSamples.zeros, count: 40)
    #expect(inflate(bomb).error == nil)
    let limits = Gunzip.Limits(maximumRatio: 200, freeBytes: 1 << 20)
    let (output, error) = inflate(bomb, limits: limits)
    #expect(error?.reason == .expandsTooFar)
    #expect(output.count <= (1 << 20) + (1 << 16))
  }

  @Test("in a file are recognized by content and inflated while reading")
  func sources() throws {
    for chunkBytes in [1, 2, 7, 4096] {
      for (content, isCompressed) in [
        (GzipSamples.twoLines + GzipSamples.oneLine, true), (GunzipTests.text, false),
      ] {
        let file = try TemporaryFile(content)
        var source = try InflatedSource(path: file.path, chunkBytes: chunkBytes)
        var all: [UInt8] = []
        var chunk: [UInt8] = []
        while try source.read(into: &chunk) {
          #expect(!chunk.isEmpty)
          all += chunk
        }
        #expect(all == GunzipTests.text)
        let foundCompressed = source.isCompressed
        #expect(foundCompressed == isCompressed)
      }
    }
  }

  @Test("in a damaged file are delivered up to the fault")
  func damagedSource() throws {
    let file = try TemporaryFile(GzipSamples.twoLines + Array(GzipSamples.oneLine.dropLast(3)))
    var source = try InflatedSource(path: file.path, chunkBytes: 8)
    var all: [UInt8] = []
    var chunk: [UInt8] = []
    var failure: ByteSourceError?
    do throws(ByteSourceError) {
      while try source.read(into: &chunk) { all += chunk }
    } catch { failure = error }
    #expect(all == GunzipTests.text)
    #expect(
      failure?.description
        == "\(file.path): the gzip data ends too early at compressed byte 61")
  }

  @Test("with no bytes or one byte are an uncompressed file, not an error")
  func tiny() throws {
    for content in [[], [0x1f], [0x41]] as [[UInt8]] {
      let file = try TemporaryFile(content)
      var source = try InflatedSource(path: file.path)
      var all: [UInt8] = []
      var chunk: [UInt8] = []
      while try source.read(into: &chunk) { all += chunk }
      #expect(all == content)
    }
  }
}
