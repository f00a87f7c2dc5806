import ArgumentParser
import FencepostGeodesy

/// `Benchmark geodesics`: solves geodesic problems, one a line, for `Tools/check geodesics` to compare.
struct GeodesicsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "geodesics",
    abstract: "Solve the inverse problem for each line of standard input.",
    discussion: """
      A line has two points in degrees: LAT LON LAT LON. The answer is the distance in metres and the azimuths at \
      both ends in degrees. With --direct, a line is LAT LON AZIMUTH METERS and the answer LAT LON.
      """)

  @Flag(help: "Solve the direct problem instead.") var direct = false

  func run() throws {
    var answers = ""
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 4 else { throw ValidationError("not four numbers: \(line)") }
      answers += direct ? arrival(numbers) : course(numbers)
      if answers.utf8.count > 1 << 16 {
        print(answers, terminator: "")
        answers = ""
      }
    }
    print(answers, terminator: "")
  }

  private func course(_ n: [Double]) -> String {
    let course = Geodesic.inverse(
      from: Coordinate(latitudeDegrees: n[0], longitudeDegrees: n[1]),
      to: Coordinate(latitudeDegrees: n[2], longitudeDegrees: n[3]))
    return "\(course.distanceMeters) \(course.startAzimuthDegrees) \(course.endAzimuthDegrees)\n"
  }

  private func arrival(_ n: [Double]) -> String {
    let end = Geodesic.direct(
      from: Coordinate(latitudeDegrees: n[0], longitudeDegrees: n[1]),
      azimuthDegrees: n[2], distanceMeters: n[3])
    return "\(end.latitudeDegrees) \(end.longitudeDegrees)\n"
  }
}
