import FencepostTracks
import FencepostFiles
import FencepostFixes
import FencepostFormats

/// The decoders, over bytes in memory, with and without what stands round them.
enum DecoderCases {
  private static let fixes = 100_000

  /// Makes the cases; their bytes are written to a folder and read back.
  static func all(folder: String) throws -> [MicroCase] {
    let nmea = try chunks(of: .nmea, in: folder)
    let gpx = try chunks(of: .gpx, in: folder)
    let csv = try chunks(of: .csv, in: folder)
    return [
      decoding("NMEADecoder", nmea) { NMEADecoder() },
      MicroCase(name: "GPXDecoder", unit: "fix") {
        var decoder = GPXDecoder()
        var batch = FixBatch()
        var count = 0
        for chunk in gpx {
          try decoder.decode(chunk.span, into: &batch)
          count += batch.fixes.count
          batch.removeAll()
        }
        try decoder.finish(into: &batch)
        return (count + batch.fixes.count, 0)
      },
      decoding("CSVFixDecoder", csv) { CSVFixDecoder() },
      streaming("FixStream, nmea", nmea), streaming("FixStream, gpx", gpx),
      streaming("FixStream, csv", csv),
    ]
  }

  private static func chunks(of form: TrackForm, in folder: String) throws -> [[UInt8]] {
    let path = "\(folder)/micro.\(form)"
    try form.write(Journey(kind: .drive, seed: 7), fixes: fixes, to: path)
    var source = try ByteSource(path: path)
    var chunks: [[UInt8]] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { chunks.append(Array(chunk)) }
    return chunks
  }

  private static func decoding<Decoder: FixDecoder>(
    _ name: String, _ chunks: [[UInt8]], make: @escaping () -> Decoder
  ) -> MicroCase {
    MicroCase(name: name, unit: "fix") {
      var decoder = make()
      var batch = FixBatch()
      var count = 0
      for chunk in chunks {
        try decoder.decode(chunk.span, into: &batch)
        count += batch.fixes.count
        batch.removeAll()
      }
      try decoder.finish(into: &batch)
      return (count + batch.fixes.count, 0)
    }
  }

  /// With recognition of the format and hygiene.
  private static func streaming(_ name: String, _ chunks: [[UInt8]]) -> MicroCase {
    MicroCase(name: name, unit: "fix") {
      var stream = FixStream()
      var batch = FixBatch()
      for chunk in chunks {
        try stream.feed(chunk.span, into: &batch)
        batch.removeAll()
      }
      try stream.finish(into: &batch)
      return (stream.acceptedCount, 0)
    }
  }
}
