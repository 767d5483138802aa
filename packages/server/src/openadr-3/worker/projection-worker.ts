import { Polling } from "../../platform/polling.js";
import { type Carrier, RARELY_MS } from "../../platform/timetable.js";
import { type FollowPorts, SourceFollower } from "../operations/follow-sources.js";

/** How often the clock is asked whether events are to be prolonged, which the database is once a minute. */
const PROLONGING_MS = 10_000;

/** Makes objects of OpenADR follow their sources until stopped. */
export class ProjectionWorker implements Carrier {
  private readonly following: Polling;
  private readonly prolonging: Polling;

  constructor({ clock, log, ...ports }: FollowPorts) {
    const follower = new SourceFollower({ clock, log, ...ports });
    const onError = (error: unknown): void =>
      log.error({ err: error }, "objects of OpenADR 3 could not follow; retrying");
    this.following = new Polling({ look: () => follower.look(), onError, clock, everyMs: RARELY_MS });
    this.prolonging = new Polling({ look: () => follower.prolong(), onError, clock, everyMs: PROLONGING_MS });
  }

  start(): void {
    this.following.start();
    this.prolonging.start();
  }

  wake(): void {
    this.following.wake();
  }

  /** Waits for the current looks. */
  async stop(): Promise<void> {
    await Promise.all([this.following.stop(), this.prolonging.stop()]);
  }
}
