import type pg from "pg";

/** What pg calls while a statement runs, beyond its types. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

const PIECE_BYTES = 65_536;
/** What is read ahead of a slow reader. */
const AHEAD_BYTES = 1_048_576;

/** Rows of `copy … to stdout`, one after the other, in pieces of at least 64 KiB; counts the rows. */
export class CopyOut {
  rows = 0;
  private readonly ready: Buffer[] = [];
  private readyBytes = 0;
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private isOver = false;
  private failure: Error | null = null;
  private connection: pg.Connection | null = null;
  private wake: () => void = () => {};

  constructor(private readonly text: string) {}

  /** Runs it and yields its pieces. The client serves nothing else meanwhile; end it if the reader stops early. */
  async *of(client: pg.Client): AsyncGenerator<Buffer> {
    client.query(this);
    for (;;) {
      const piece = this.ready.shift();
      if (piece !== undefined) {
        this.readyBytes -= piece.length;
        if (this.readyBytes < AHEAD_BYTES) this.connection?.stream.resume();
        yield piece;
        continue;
      }
      if (this.failure !== null) throw this.failure;
      if (this.isOver) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  submit(connection: pg.Connection): void {
    this.connection = connection;
    connection.query(this.text);
  }

  /** A row; its bytes are the client's, and are used again. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.rows++;
    this.gathered.push(Buffer.from(chunk));
    this.gatheredBytes += chunk.length;
    if (this.gatheredBytes >= PIECE_BYTES) this.hand();
  }

  handleCommandComplete(): void {
    this.hand();
  }

  handleReadyForQuery(): void {
    this.isOver = true;
    this.wake();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.wake();
  }

  private hand(): void {
    if (this.gatheredBytes === 0) return;
    this.ready.push(Buffer.concat(this.gathered));
    this.readyBytes += this.gatheredBytes;
    this.gathered = [];
    this.gatheredBytes = 0;
    if (this.readyBytes >= AHEAD_BYTES) this.connection?.stream.pause();
    this.wake();
  }
}

/** Feeds `copy … from stdin` from pieces, at the pace of the database. */
export class CopyIn {
  private ended: { resolve(): void; reject(error: unknown): void } | null = null;
  private failure: Error | null = null;

  constructor(
    private readonly text: string,
    private readonly pieces: AsyncIterable<Buffer>,
  ) {}

  /** Resolves when the database has taken everything; throws what the source or the database throws. */
  run(client: pg.Client): Promise<void> {
    return new Promise((resolve, reject) => {
      this.ended = { resolve, reject };
      client.query(this);
    });
  }

  submit(connection: pg.Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.feed(connection).catch((error: unknown) => {
      this.ended?.reject(error);
      connection.sendCopyFail("the source failed");
    });
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.ended?.resolve();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.ended?.reject(error);
  }

  private async feed(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    for await (const piece of this.pieces) {
      // The database has refused a row, and takes no more.
      if (this.failure !== null) return;
      connection.sendCopyFromChunk(piece);
      if (stream.writableNeedDrain) await drained(stream);
    }
    connection.endCopyFrom();
  }
}

const drained = (stream: pg.Connection["stream"]): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      stream.off("drain", go).off("close", go);
      resolve();
    };
    stream.on("drain", go).on("close", go);
  });
