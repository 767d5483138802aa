/** Keeps when each VEN polled last. */
export interface VenPollArchive {
  save(polls: ReadonlyMap<string, Date>): Promise<void>;
}

interface PollLog {
  warn(details: object, message: string): void;
}

const SAVE_EVERY_MS = 3000;

/** Gathers when VENs polled, so that a poll that changes nothing writes nothing of its own. */
export class PollNotes {
  private noted = new Map<string, Date>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly archive: VenPollArchive,
    private readonly log: PollLog,
  ) {
    this.timer = setInterval(() => void this.save(), SAVE_EVERY_MS);
    this.timer.unref();
  }

  note(ven: string, at: Date): void {
    this.noted.set(ven, at);
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.save();
  }

  async save(): Promise<void> {
    const polls = this.noted;
    if (polls.size === 0) return;
    this.noted = new Map();
    try {
      await this.archive.save(polls);
    } catch (error) {
      for (const [ven, at] of polls) if (!this.noted.has(ven)) this.noted.set(ven, at);
      this.log.warn({ err: error, vens: polls.size }, "the last polls of VENs could not be noted yet");
    }
  }
}
