import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";

/** Stores the latest note of each. */
export interface NoteArchive<Note> {
  save(notes: ReadonlyMap<string, Note>): Promise<void>;
}

export interface NoteLog {
  warn(details: object, message: string): void;
}

export interface NotePorts<Note> {
  readonly archive: NoteArchive<Note>;
  readonly clock: Pick<LoopClock, "sleep">;
  readonly log: NoteLog;
  /** Log message if notes could not be stored. */
  readonly failure: string;
  /** Whether to save even though nothing was noted. */
  readonly isDue?: () => boolean;
}

export const SAVE_EVERY_MS = 3000;

/** Collects polls by the poller's id, so that a poll without changes costs no write. */
export class PollNotes<Note> {
  private noted = new Map<string, Note>();
  private readonly saving: Polling;

  constructor(private readonly ports: NotePorts<Note>) {
    const { clock } = ports;
    const look = async () => {
      await this.save();
      return false;
    };
    const onError = (error: unknown) => this.ports.log.warn({ err: error }, ports.failure);
    this.saving = new Polling({ look, onError, clock, everyMs: SAVE_EVERY_MS, restsFirst: true });
    this.saving.start();
  }

  note(id: string, note: Note): void {
    this.noted.set(id, note);
  }

  /** Writes the rest. */
  async stop(): Promise<void> {
    await this.saving.stop();
    await this.save();
  }

  async save(): Promise<void> {
    const notes = this.noted;
    if (notes.size === 0 && this.ports.isDue?.() !== true) return;
    this.noted = new Map();
    try {
      await this.ports.archive.save(notes);
    } catch (error) {
      for (const [id, note] of notes) if (!this.noted.has(id)) this.noted.set(id, note);
      this.ports.log.warn({ err: error, count: notes.size }, this.ports.failure);
    }
  }
}
