import type { Readable } from "node:stream";

/** The most a socket delivers at once. */
const CHUNK_BYTES = 65_536;

/**
 * Shares the receiving capacity: once a turn's bytes are used up, senders wait for the next turn, so hundreds of fast
 * senders leave room for others. Without it, a socket is read up to 32 times per turn of the event loop.
 */
export class BodyPace {
  /** Longest waiting first. */
  private readonly waiting = new Set<Readable>();
  private takenBytes = 0;
  private isTurn = false;

  /**
   * @param turnBytes bytes per turn
   * @param afterTurn calls back when the next turn is due
   */
  constructor(
    private readonly turnBytes: number,
    private readonly afterTurn: (next: () => void) => void,
  ) {}

  /** Reads a paused body: at once, or when the others leave room. */
  enter(body: Readable): void {
    if (this.isTurn && this.takenBytes > this.turnBytes) this.waiting.add(body);
    else body.resume();
  }

  /** Call for each chunk of a body. */
  took(body: Readable, bytes: number): void {
    if (!this.isTurn) this.beginTurn();
    this.takenBytes += bytes;
    if (this.takenBytes <= this.turnBytes) return;
    body.pause();
    this.waiting.add(body);
  }

  /** The rest of the body is not needed: do not resume it. */
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
