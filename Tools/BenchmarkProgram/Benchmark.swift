import ArgumentParser
import FencepostFixes
import FencepostGeodesy
import FencepostTracks

/// What the tools ask of the library itself: `Tools/benchmark` and `Tools/check geodesics` call it.
@main
struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Do parts of Fencepost's work alone.",
    subcommands: [DecodeCommand.self, GeodesicsCommand.self])
}

/// `Benchmark decode`: reads fixes and does nothing with them.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Read the fixes of tracks and count those that are accepted.")
  @Argument(help: "The tracks.") var files: [String]

  func run() throws {
    for file in files {
      var reader = try FixReader(path: file)
      var batch = FixBatch()
      while try reader.read(into: &batch) {}
      print(reader.acceptedCount)
    }
  }
}

/// `Benchmark geodesics`: solves a geodesic problem for each line of standard input.
struct GeodesicsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "geodesics",
    abstract: "Solve the inverse problem for each line of standard input.",
    discussion: """
      A line has two points in degrees: LAT LON LAT LON. The answer is the distance in meters and \
      the azimuths at both ends in degrees. With --direct, a line is LAT LON AZIMUTH METERS and \
      the answer LAT LON.
      """)
  @Flag(help: "Solve the direct problem instead.") var direct = false

  func run() throws {
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 4 else { throw ValidationError("not four numbers: \(line)") }
      let start = Coordinate(latitudeDegrees: numbers[0], longitudeDegrees: numbers[1])
      if direct {
        let end = Geodesic.direct(
          from: start, azimuthDegrees: numbers[2], distanceMeters: numbers[3])
        print(end.latitudeDegrees, end.longitudeDegrees)
      } else {
        let end = Coordinate(latitudeDegrees: numbers[2], longitudeDegrees: numbers[3])
        let course = Geodesic.inverse(from: start, to: end)
        print(course.distanceMeters, course.startAzimuthDegrees, course.endAzimuthDegrees)
      }
    }
  }
}
