package import FencepostFiles
import FencepostFormats

/// Why a stream of tracks ended early.
///
/// Tracks before the damage have been handed over.
package enum TrackFrameError: Error, Sendable, CustomStringConvertible {
  /// The stream could not be read.
  case source(ByteSourceError)
  /// A header is malformed or breaks the rules of the stream; the message names the source.
  case damaged(String)

  /// The message, without a final period.
  package var description: String {
    switch self {
    case .source(let error): "\(error)"
    case .damaged(let sentence): sentence
    }
  }
}

/// Reads tracks from a stream of frames: a line of JSON, then the track's bytes.
///
///     {"track":"ride.csv","bytes":5120}
///
/// Instead of `bytes`, `file` may name a file that holds them, or `error` may say why the sender has
/// none. Empty lines before a header and
/// other members are ignored. Memory holds one track.
package struct TrackFrameReader: ~Copyable {
  /// The most bytes of a header line; a longer one damages the stream.
  package static var mostHeaderBytes: Int { 64 * 1024 }

  private var source: ByteSource
  private var chunk: [UInt8] = []
  private var position = 0
  private var count = 0

  /// Reads frames from a stream, which ends where the source does.
  package init(_ source: consuming ByteSource) { self.source = source }

  /// Reads the next frame; nil at the end.
  ///
  /// A truncated frame has an error instead of bytes.
  ///
  /// - Throws: ``TrackFrameError``. Do not read any further.
  package mutating func next() throws(TrackFrameError) -> TrackFrame? {
    guard let line = try readHeader() else { return nil }
    count += 1
    guard let text = String(validating: line, as: UTF8.self) else {
      throw damaged("its header is not UTF-8")
    }
    let header: Header
    do throws(JSONPathError) {
      header = try Header(text)
    } catch {
      throw damaged("its header: \(error.path.isEmpty ? error.sentence : error.description)")
    }
    if let contents = header.contents { return TrackFrame(track: header.track, contents: contents) }
    var bytes: [UInt8] = []
    while bytes.count < header.bytes, try fill() {
      let end = min(chunk.count, position + header.bytes - bytes.count)
      bytes += chunk[position..<end]
      position = end
    }
    guard bytes.count == header.bytes else {
      return TrackFrame(
        track: header.track,
        contents: .unread(
          "the stream ends after \(bytes.count.grouped) of its \(header.bytes.grouped) bytes"))
    }
    return TrackFrame(track: header.track, contents: .bytes(bytes))
  }

  // MARK: Headers

  /// The line before a track: its name, and where its bytes are.
  private struct Header {
    var track: String
    /// What the header has instead of a number of bytes.
    var contents: TrackFrame.Contents?
    var bytes = 0

    init(_ text: String) throws(JSONPathError) {
      let node: JSONNode
      do throws(JSONError) {
        node = JSONNode(try JSONValue(parsing: text))
      } catch {
        throw JSONPathError(path: "", sentence: "\(error)")
      }
      track = try node.member("track").string()
      if track.isEmpty { throw try node.member("track").error("must not be empty") }
      contents = try node.optionalMember("error").map { node throws(JSONPathError) in
        .unread(try node.string())
      }
      if contents == nil {
        contents = try node.optionalMember("file").map { node throws(JSONPathError) in
          .file(try node.string())
        }
      }
      guard contents == nil else { return }
      let size = try node.member("bytes")
      bytes = try size.integer()
      if bytes < 0 { throw size.error("must not be negative, found \(bytes)") }
    }
  }

  private func damaged(_ sentence: String) -> TrackFrameError {
    .damaged("\(source.name): track \(count.grouped): \(sentence)")
  }

  /// Reads the next nonempty line; nil at the end.
  private mutating func readHeader() throws(TrackFrameError) -> [UInt8]? {
    var line: [UInt8] = []
    while try fill() {
      let end = chunk[position...].firstIndex(of: UInt8(ascii: "\n"))
      line += chunk[position..<(end ?? chunk.count)]
      position = (end ?? chunk.count - 1) + 1
      if line.count > Self.mostHeaderBytes {
        count += 1
        throw damaged("its header has more than \(Self.mostHeaderBytes.grouped) bytes")
      }
      guard end != nil else { continue }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if !line.isEmpty { return line }
    }
    guard !line.isEmpty else { return nil }
    count += 1
    throw damaged("the stream ends within its header")
  }

  /// Reads more if the chunk is used up; false at the end of the source.
  private mutating func fill() throws(TrackFrameError) -> Bool {
    guard position == chunk.count else { return true }
    position = 0
    do throws(ByteSourceError) {
      return try source.read(into: &chunk)
    } catch {
      throw .source(error)
    }
  }
}

/// One track of a stream, as its sender names it.
///
/// A program that has tracks in a database sends them this way, without writing files.
package struct TrackFrame: Equatable, Sendable {
  /// The bytes of the track, or where they are, or why the sender has no bytes.
  ///
  /// Bytes may be of any format and compressed, as in a file.
  package enum Contents: Equatable, Sendable {
    /// The whole track.
    case bytes([UInt8])
    /// The path of a file with the track.
    case file(String)
    /// Why the sender has no bytes, without a final period.
    case unread(String)
  }

  /// The sender's name for the track, not empty.
  package var track: String
  /// The bytes, or where they are.
  package var contents: Contents

  /// Creates a frame; the name must not be empty.
  package init(track: String, contents: Contents) {
    self.track = track
    self.contents = contents
  }
}
