import type { Follower } from "../follower.js";
import type { JournalEntry, StreamName } from "../journal.js";
import { Slots } from "../slots.js";
import type { Carrier } from "../timetable.js";
import { type FollowerPorts, FollowerRun } from "./follower-run.js";

/** Followers of a process that hold a transaction at once, so that a slow one leaves connections to others. */
const RUNNING_AT_ONCE = 3;

/** Runs followers, each in one process at a time: woken by the tail of the journal, and when a failed entry is due. */
export class FollowerWorker<Stores> implements Carrier {
  private readonly runs: ReadonlyArray<FollowerRun<Stores>>;

  constructor(followers: ReadonlyArray<Follower<Stores>>, ports: FollowerPorts<Stores>) {
    const slots = new Slots(RUNNING_AT_ONCE);
    this.runs = followers.map((follower) => new FollowerRun(follower, slots, ports));
  }

  start(): void {
    for (const { polling } of this.runs) polling.start();
  }

  take(entries: readonly JournalEntry[]): void {
    for (const run of this.runs) run.take(entries);
  }

  changed(stream: StreamName): void {
    for (const run of this.runs) run.changed(stream);
  }

  /** Anything may have been appended. */
  reset(): void {
    this.wake();
  }

  wake(): void {
    for (const { polling } of this.runs) polling.wake();
  }

  /** Waits for transactions under way. */
  async stop(): Promise<void> {
    await Promise.all(this.runs.map(({ polling }) => polling.stop()));
  }
}
