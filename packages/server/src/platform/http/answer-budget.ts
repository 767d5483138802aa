import { Tally } from "../tally.js";

/** Memory for all large answers, memory for those of one reader, and how long a reader waits for it. */
const TOTAL_BYTES = 96_000_000;
const READER_BYTES = 12_000_000;
const WAIT_MS = 10_000;
/** Requests of one reader that may wait. */
const WAITING = 20;

type Release = () => void;

interface Waiting {
  readonly reader: string;
  readonly bytes: number;
  readonly grant: (release: Release | null) => void;
}

/**
 * Limits the memory of large answers, per reader and in total. The rest wait; each reader's requests keep their order.
 */
export class AnswerBudget {
  private total = 0;
  private readonly held = new Tally();
  private waiting: readonly Waiting[] = [];

  constructor(
    private readonly totalBytes = TOTAL_BYTES,
    private readonly readerBytes = READER_BYTES,
    private readonly waitMs = WAIT_MS,
  ) {}

  /** Resolves to the release function once there is memory, or to null if the wait timed out. */
  async take(reader: string, bytes: number): Promise<Release | null> {
    const ahead = this.waiting.filter((each) => each.reader === reader).length;
    if (ahead === 0 && this.fits(reader, bytes)) return this.hold(reader, bytes);
    return ahead >= WAITING ? null : this.wait(reader, bytes);
  }

  private wait(reader: string, bytes: number): Promise<Release | null> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        reader,
        bytes,
        grant: (release) => {
          clearTimeout(timer);
          this.waiting = this.waiting.filter((each) => each !== waiting);
          resolve(release);
        },
      };
      const timer = setTimeout(() => waiting.grant(null), this.waitMs);
      this.waiting = [...this.waiting, waiting];
    });
  }

  /** A single answer always fits, however large. */
  private fits(reader: string, bytes: number): boolean {
    const own = this.held.of(reader);
    return (
      (own === 0 || own + bytes <= this.readerBytes) && (this.total === 0 || this.total + bytes <= this.totalBytes)
    );
  }

  private hold(reader: string, bytes: number): Release {
    this.add(reader, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(reader, -bytes);
      this.grantNext();
    };
  }

  private add(reader: string, bytes: number): void {
    this.total += bytes;
    this.held.add(reader, bytes);
  }

  private grantNext(): void {
    const passed = new Set<string>();
    for (const each of this.waiting) {
      // In order per reader; a reader that has to wait does not hold up others.
      if (!passed.has(each.reader) && this.fits(each.reader, each.bytes))
        each.grant(this.hold(each.reader, each.bytes));
      else passed.add(each.reader);
    }
  }
}
