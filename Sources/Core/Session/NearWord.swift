/// Finds the word that was probably meant.
///
/// Messages suggest it for a name that is misspelled.
package enum NearWord {
  /// The word most like another, if at most so many letters differ.
  ///
  /// Of equally similar words, the first in alphabetical order counts. A letter that is missing,
  /// extra or different counts as one.
  ///
  /// - Complexity: O(n · l²) for n words of l letters.
  package static func nearest(
    to word: String, among words: some Sequence<String>, within most: Int
  ) -> String? {
    let nearest = words.min { (distance($0, word), $0) < (distance($1, word), $1) }
    return nearest.flatMap { distance($0, word) <= most ? $0 : nil }
  }

  /// The number of letters to insert, remove or replace (Levenshtein), row by row.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, another) in other.enumerated() {
        let replaced = diagonal + (letter == another ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
