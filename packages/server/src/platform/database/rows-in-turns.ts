import type { Socket } from "node:net";
import type pg from "pg";

/** A socket hands over so much at once where there is more. */
const PIECE_BYTES = 65_536;

/** Missing in the types of `pg`. */
interface Connected {
  readonly connection: { readonly stream: Socket };
}

/** Sockets that are read so: a pool may hand out a connection that it has had before. */
const known = new WeakSet<Socket>();

/**
 * Reads one piece of an answer, or two, in a turn of the event loop. Otherwise a socket is read for as long as the database writes,
 * two megabytes at most: on a busy machine those are rows for a tenth of a second, in which nobody else has a turn.
 */
export const readRowsInTurns = (client: pg.PoolClient): void => {
  const { stream } = (client as unknown as Connected).connection;
  if (known.has(stream)) return;
  known.add(stream);
  // After the driver, which has parsed the piece.
  stream.on("data", (piece: Buffer) => {
    if (piece.length < PIECE_BYTES) return;
    stream.pause();
    setImmediate(() => stream.resume());
  });
};
