import { Readable } from "node:stream";

/** A file's content at the reader's pace. Counted in bytes, not in pieces, so that at most one piece waits for a slow reader. */
export const sentPieces = (pieces: AsyncIterable<string | Uint8Array>): Readable =>
  Readable.from(pieces, { objectMode: false, highWaterMark: 65_536 });

/**
 * A download takes minutes, and the session may end meanwhile; the connection is then cut, so that a partial file does
 * not pass for a complete one.
 */
export async function* whileAllowed<T>(
  pieces: AsyncIterable<T>,
  mayContinue: () => Promise<boolean>,
): AsyncGenerator<T> {
  for await (const piece of pieces) {
    if (!(await mayContinue())) throw new Error("the session that began a download has ended");
    yield piece;
  }
}
