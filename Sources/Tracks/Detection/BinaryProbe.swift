import FencepostFiles
import FencepostFormats

/// Recognizes binary files by their first bytes; for unsupported ones, tells how to convert them.
enum BinaryProbe {
  private struct Kind {
    var signature: [UInt8]
    var offset = 0
    /// The name of the format, and how to convert it.
    var sentence: String
  }

  /// How many bytes a decision needs.
  static var windowBytes: Int { 16 }

  private static let kinds: [Kind] = [
    Kind(signature: Array("BZh".utf8), sentence: unpacked("bzip2", "bzip2 -dc FILE")),
    Kind(signature: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], sentence: unpacked("xz", "xz -dc FILE")),
    Kind(signature: [0x28, 0xB5, 0x2F, 0xFD], sentence: unpacked("zstd", "zstd -dc FILE")),
    Kind(signature: [0x04, 0x22, 0x4D, 0x18], sentence: unpacked("lz4", "lz4 -dc FILE")),
    Kind(signature: [0x1F, 0x9D], sentence: unpacked("compress", "gzip -dc FILE")),
    Kind(
      signature: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], sentence: unpacked("7-Zip", "7z x -so FILE")),
    Kind(signature: Array("Rar!".utf8), sentence: unpacked("RAR", "bsdtar -xOf FILE")),
    Kind(signature: Array("PK\u{5}\u{6}".utf8), sentence: "an empty zip archive"),
    Kind(signature: [0xFF, 0xD8, 0xFF], sentence: image("a JPEG image")),
    Kind(signature: [0x89, 0x50, 0x4E, 0x47], sentence: image("a PNG image")),
    Kind(signature: [0x49, 0x49, 0x2A, 0], sentence: image("a TIFF image")),
    Kind(signature: [0x4D, 0x4D, 0, 0x2A], sentence: image("a TIFF image")),
    Kind(signature: Array("ftypheic".utf8), offset: 4, sentence: image("a HEIC image")),
    Kind(signature: Array("ftypmif1".utf8), offset: 4, sentence: image("a HEIC image")),
    Kind(
      signature: Array("ftyp".utf8), offset: 4,
      sentence: "a video; if the camera recorded positions, extract them: "
        + "exiftool -ee -n -p gpx.fmt FILE | fencepost replay -"),
    Kind(signature: Array("MsRcf".utf8), sentence: babel("Garmin MapSource GDB", "gdb")),
    // GPSBabel dropped it after version 1.6 (2019).
    Kind(
      signature: Array("MsRcd".utf8), sentence: "Garmin MapSource MPS; save it as GPX in MapSource"
    ),
    Kind(
      signature: Array("TrackMaker".utf8), offset: 2, sentence: babel("GPS TrackMaker GTM", "gtm")),
    Kind(
      signature: Array("SQLite format 3".utf8),
      sentence: "an SQLite database; export its points as CSV, for example: "
        + "sqlite3 -header -csv FILE \"SELECT time, lat, lon FROM points\" | fencepost replay -"),
    Kind(
      signature: Array("PAR1".utf8),
      sentence: "Parquet; export its points as CSV, for example: "
        + "duckdb -csv -c \"SELECT time, lat, lon FROM 'FILE'\" | fencepost replay -"),
    Kind(
      signature: [0, 0, 0x27, 0x0A],
      sentence: "a shapefile; convert it: ogr2ogr -f GeoJSON /vsistdout/ FILE | fencepost replay -"),
    Kind(
      signature: Array("fgb".utf8) + [3],
      sentence: "FlatGeobuf; convert it: ogr2ogr -f GeoJSON /vsistdout/ FILE | fencepost replay -"),
    Kind(signature: Array("%PDF".utf8), sentence: "a PDF document, not a track"),
  ]

  /// Judges the first bytes; nil if they may be text.
  static func judge(_ bytes: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict? {
    guard bytes.count >= windowBytes || isLast else { return .open }
    if ZipReader.isZip(bytes) { return .archive }
    if FITDecoder.isFIT(bytes) == true { return .format(.fit) }
    return kinds.first { matches(bytes, $0) }.map { .foreign($0.sentence) }
  }

  private static func matches(_ bytes: Span<UInt8>, _ kind: Kind) -> Bool {
    guard bytes.count >= kind.offset + kind.signature.count else { return false }
    return kind.signature.indices.allSatisfy { bytes[kind.offset + $0] == kind.signature[$0] }
  }

  private static func unpacked(_ name: String, _ command: String) -> String {
    "packed with \(name); unpack it: \(command) | fencepost replay -"
  }

  private static func image(_ name: String) -> String {
    "\(name); to replay photos, list their times and positions as CSV: "
      + "exiftool -n -csv -d %Y-%m-%dT%H:%M:%SZ -GPSDateTime -GPSLatitude -GPSLongitude FILE..."
  }

  /// The hint to convert a file with GPSBabel.
  static func babel(_ name: String, _ format: String) -> String {
    "\(name); convert it: gpsbabel -t -i \(format) -f FILE -o gpx -F - | fencepost replay -"
  }
}
