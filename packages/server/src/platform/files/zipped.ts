import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";

/** Fast rather than small: most of the content is text of numbers, which level 1 brings to a quarter. */
const LEVEL = 1;
const CHUNK_BYTES = 65_536;

/** Compresses pieces (gzip), in a thread of its own. */
export const zipped = (content: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> =>
  // A failure of the source ends what is read here; the callback has nothing to add.
  pipeline(Readable.from(content), createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES }), () => {});

/** The reverse of `zipped`. */
export const unzipped = (content: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> =>
  pipeline(Readable.from(content), createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
