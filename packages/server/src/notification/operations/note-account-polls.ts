import { type NoteArchive, type NoteLog, PollNotes } from "../../openadr/operations/note-polls.js";
import type { LoopClock } from "../../platform/clock.js";
import { afterPoll, isWorthKeeping, type Polls } from "../domain/polls.js";

export type AccountPollArchive = NoteArchive<Polls>;

/** How accounts poll, as this process sees it; written when it changes, usually at most once a minute. */
export class AccountPolls {
  private readonly seen = new Map<string, Polls>();
  private readonly kept = new Map<string, Polls>();
  private readonly notes: PollNotes<Polls>;

  constructor(archive: AccountPollArchive, clock: Pick<LoopClock, "sleep">, log: NoteLog) {
    this.notes = new PollNotes({ archive, clock, log, failure: "polls of accounts could not be recorded; retrying" });
  }

  note(accountId: string, at: Date): void {
    const polls = afterPoll(this.seen.get(accountId) ?? null, at);
    this.seen.set(accountId, polls);
    if (!isWorthKeeping(this.kept.get(accountId) ?? null, polls)) return;
    this.kept.set(accountId, polls);
    this.notes.note(accountId, polls);
  }

  /** Writes the rest. */
  stop(): Promise<void> {
    return this.notes.stop();
  }
}
