/// A source that cannot be read; an engine in a browser has everything in memory.
package enum ByteSourceError: Error {}
