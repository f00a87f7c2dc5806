extension String {
  /// The name for display; a page knows only names that can be shown.
  package var shownFileName: String { self }
}
