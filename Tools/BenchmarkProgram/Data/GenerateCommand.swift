import ArgumentParser
import Glibc

/// `Benchmark generate`: makes the input files, the same bytes every time and everywhere.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Make benchmark data.",
    subcommands: [Places.self, Track.self, Tracks.self, Stream.self])

  /// A CSV file of places.
  struct Places: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write a CSV file of places.")
    @Option(help: "How many places.") var count = 1_000_000
    @Flag(help: "Fill the city that the tracks pass through with more places.") var dense = false
    @Flag(help: "Put all places into that city.") var city = false
    @Argument(help: "The file.") var file: String

    func run() throws {
      try PlaceFile.write(WorldPlaces(count: count, isDense: dense, isCity: city), to: file)
    }
  }

  /// One long track.
  struct Track: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write a track.")
    @Option(help: "drive or walk.") var kind = Journey.Kind.drive
    @Option(help: "nmea, gpx or csv.") var form = TrackForm.nmea
    @Option(help: "How many fixes, one a second.") var fixes = 1_000_000
    @Argument(help: "The file.") var file: String

    func run() throws {
      try form.write(Journey(kind: kind, seed: 7), fixes: fixes, to: file)
    }
  }

  /// A folder of tracks: drives and walks in turns, each in GPX and NMEA in turns.
  struct Tracks: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write a folder of tracks.")
    @Option(help: "How many tracks.") var count = 200
    @Option(help: "How many fixes each, one a second.") var fixes = 5_000
    @Argument(help: "The folder, which exists.") var folder: String

    func run() throws {
      for index in 0..<count {
        let kind = index % 2 == 0 ? Journey.Kind.drive : .walk
        let form = index / 2 % 2 == 0 ? TrackForm.gpx : .nmea
        var name: [UInt8] = []
        name.append(index, digits: 3)
        let path = "\(folder)/\(String(decoding: name, as: UTF8.self))-\(kind).\(form)"
        try form.write(
          Journey(kind: kind, seed: UInt64(100 + index)), fixes: fixes, to: path)
      }
    }
  }
}

extension GenerateCommand {
  /// The fixes of many vehicles in one stream.
  struct Stream: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the fixes of many vehicles, in the order of time.")
    @Option(help: "How many vehicles.") var vehicles = 141
    @Option(help: "How many fixes each, one a second.") var fixes = 7_092
    @Option(help: "jsonl or csv.") var form = VehicleStream.Form.jsonl
    @Argument(help: "The file.") var file: String

    func run() throws {
      try VehicleStream(vehicles: vehicles, fixesEach: fixes).write(form, to: file)
    }
  }
}

extension VehicleStream.Form: ExpressibleByArgument {}
extension Journey.Kind: ExpressibleByArgument {}
extension TrackForm: ExpressibleByArgument {}
