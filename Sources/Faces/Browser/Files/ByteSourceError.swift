/// A source that cannot be read; an engine in a browser has everything in memory.
///
/// It has no cases, so functions that throw it cannot fail here.
package enum ByteSourceError: Error {}
