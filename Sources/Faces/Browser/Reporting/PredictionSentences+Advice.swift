extension PredictionSentences {
  /// Nothing: the page looks for a remedy by itself.
  var advice: String { "" }
}
