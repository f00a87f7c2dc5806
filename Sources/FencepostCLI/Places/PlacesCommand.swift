import ArgumentParser

/// The commands that make and question a store of places.
struct PlacesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Keep places and their stories in a store, and ask it.",
    discussion: """
      A store is a SpatiaLite database file; QGIS, ogr2ogr and the spatialite shell open it too.
      """,
    subcommands: [
      PlacesImportCommand.self, PlacesNearestCommand.self, PlacesListCommand.self,
      PlacesStatsCommand.self, PlacesCheckCommand.self, PlacesDeleteCommand.self,
    ])
}
