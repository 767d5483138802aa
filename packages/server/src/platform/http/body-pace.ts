import type { Readable } from "node:stream";

/** What a socket brings at once. */
const CHUNK_BYTES = 65_536;

/**
 * Shares of what arrives: beyond the bytes of a turn, a sender has to wait for the next. Hundreds of fast senders then
 * leave room for others; without it, a socket is read up to 32 times a turn of the event loop.
 */
export class BodyPace {
  /** The longest that wait come first. */
  private readonly waiting = new Set<Readable>();
  private takenBytes = 0;
  private isTurn = false;

  /**
   * @param turnBytes What a turn takes.
   * @param afterTurn Calls back when the next turn is due.
   */
  constructor(
    private readonly turnBytes: number,
    private readonly afterTurn: (next: () => void) => void,
  ) {}

  /** To be called for each piece of a body that has arrived. */
  took(body: Readable, bytes: number): void {
    if (!this.isTurn) this.beginTurn();
    this.takenBytes += bytes;
    if (this.takenBytes <= this.turnBytes) return;
    body.pause();
    this.waiting.add(body);
  }

  /** Nobody wants more of the body: it is not set going again. */
  leave(body: Readable): void {
    this.waiting.delete(body);
  }

  private beginTurn(): void {
    this.isTurn = true;
    this.takenBytes = 0;
    this.afterTurn(() => this.endTurn());
  }

  private endTurn(): void {
    this.isTurn = false;
    if (this.waiting.size === 0) return;
    this.beginTurn();
    let room = this.turnBytes / CHUNK_BYTES;
    for (const body of this.waiting) {
      if (room-- <= 0) return;
      this.waiting.delete(body);
      body.resume();
    }
  }
}
