/// The pages' own files from the folder `Pages`, which the build puts into the program.
enum Pages {
  /// Joins files with line ends between them.
  static func joined(_ files: [UInt8]...) -> [UInt8] {
    Array(files.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// The report of an analysis, with slots for what differs.
  static let report = PageTemplate(PackageResources.report_html)
  /// The report of a sweep alone.
  static let sweep = PageTemplate(PackageResources.sweep_html)
  /// The part of a report that shows a sweep.
  static let sweepSection = PackageResources.sweep_section_html
  /// The part of a report that shows simulated phones, with a slot for their summaries.
  static let phonesSection = PageTemplate(PackageResources.phones_section_html)
  /// The part of a report that explains its words.
  static let wordsSection = PackageResources.words_section_html
  /// How a report looks.
  static let reportStyle = PackageResources.report_css
  /// What a report does; it needs the map library.
  static let reportScript = joined(
    PackageResources.basics_js, PackageResources.report_tables_js, PackageResources.drawing_js,
    PackageResources.report_map_js, PackageResources.report_plots_js,
    PackageResources.report_phones_js, PackageResources.report_ready_js)
  /// What the report of a sweep alone does.
  static let sweepScript = joined(
    PackageResources.basics_js, PackageResources.report_tables_js,
    PackageResources.report_plots_js, PackageResources.report_ready_js)

  /// The live map.
  static let live = PackageResources.live_html
  /// How the live map looks.
  static let liveStyle = PackageResources.live_css
  /// What the live map does; it needs the map library.
  static let liveScript = joined(
    PackageResources.basics_js, PackageResources.drawing_js, PackageResources.live_map_js,
    PackageResources.live_js)
}
