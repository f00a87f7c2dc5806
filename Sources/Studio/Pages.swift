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
    PackageResources.basics_js, PackageResources.report_data_js,
    PackageResources.report_tables_js, PackageResources.drawing_js,
    PackageResources.report_choice_js, PackageResources.report_studio_js,
    PackageResources.report_detail_js,
    PackageResources.report_density_js, PackageResources.report_map_js,
    PackageResources.report_plots_js, PackageResources.report_breakdowns_js,
    PackageResources.report_sweep_js, PackageResources.report_phones_js,
    PackageResources.report_ready_js)
  /// What the report of a sweep alone does.
  static let sweepScript = joined(
    PackageResources.basics_js, PackageResources.report_data_js,
    PackageResources.report_plots_js, PackageResources.report_sweep_js,
    PackageResources.report_ready_js)
  /// The report of a comparison.
  static let compare = PageTemplate(PackageResources.compare_html)
  /// What the report of a comparison does.
  static let compareScript = joined(
    PackageResources.basics_js, PackageResources.report_data_js,
    PackageResources.report_plots_js, PackageResources.report_compare_js,
    PackageResources.report_ready_js)

  /// The live map.
  static let live = PackageResources.live_html
  /// How the live map looks.
  static let liveStyle = PackageResources.live_css
  /// What the live map does; it needs the map library.
  static let liveScript = joined(
    PackageResources.basics_js, PackageResources.drawing_js, PackageResources.streets_js,
    PackageResources.live_map_js, PackageResources.live_calls_js, PackageResources.live_js)

  /// The studio.
  static let studio = PackageResources.studio_html
  /// How the studio looks: like the live map, and what is its own.
  static let studioStyle = joined(PackageResources.live_css, PackageResources.studio_css)
  /// What the studio shares with the other pages; it needs the map library.
  static let studioShared = joined(
    PackageResources.basics_js, PackageResources.drawing_js, PackageResources.drawing_shift_js,
    PackageResources.streets_js)
  /// The modules of the studio, by the names under which they import each other.
  static let studioModules: [(name: String, bytes: [UInt8])] = [
    ("studio.js", PackageResources.studio_js),
    ("studio-address.js", PackageResources.studio_address_js),
    ("studio-advice.js", PackageResources.studio_advice_js),
    ("studio-ask.js", PackageResources.studio_ask_js),
    ("studio-chance.js", PackageResources.studio_chance_js),
    ("studio-clock.js", PackageResources.studio_clock_js),
    ("studio-compare.js", PackageResources.studio_compare_js),
    ("studio-edits.js", PackageResources.studio_edits_js),
    ("studio-explain.js", PackageResources.studio_explain_js),
    ("studio-files.js", PackageResources.studio_files_js),
    ("studio-goto.js", PackageResources.studio_goto_js),
    ("studio-keys.js", PackageResources.studio_keys_js),
    ("studio-link.js", PackageResources.studio_link_js),
    ("studio-lists.js", PackageResources.studio_lists_js),
    ("studio-map.js", PackageResources.studio_map_js),
    ("studio-moment.js", PackageResources.studio_moment_js),
    ("studio-phones.js", PackageResources.studio_phones_js),
    ("studio-rules.js", PackageResources.studio_rules_js),
    ("studio-save.js", PackageResources.studio_save_js),
    ("studio-session.js", PackageResources.studio_session_js),
    ("studio-story.js", PackageResources.studio_story_js),
    ("studio-timeline.js", PackageResources.studio_timeline_js),
    ("studio-view.js", PackageResources.studio_view_js),
    ("studio-wire.js", PackageResources.studio_wire_js),
    ("studio-words.js", PackageResources.studio_words_js),
    ("studio-zone.js", PackageResources.studio_zone_js),
  ]
}
