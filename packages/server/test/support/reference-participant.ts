import { uploadTelemetry } from "@curtail/contract";
import type { Receiver } from "@curtail/testing/receiver";
import type { Send } from "./http-client.js";
import type { Running } from "./running.js";
import { attemptsRecorded, LAKESIDE_METER } from "./scenario.js";

/** What a participant's program does; a good one does all of it. */
export interface Habits {
  readonly fetches: boolean;
  readonly followsUpdates: boolean;
  readonly stops: boolean;
}

export const good: Habits = { fetches: true, followsUpdates: true, stops: true };

interface Known {
  readonly authorized: boolean;
  readonly start_time: string;
  readonly end_time: string | null;
}

const NORMAL_KW = 200;
const CURTAILED_KW = 100;

/**
 * A program as a participant might write it: notified by webhook, it fetches, curtails, and sends a reading per minute.
 */
export class ReferenceParticipant {
  private readonly dispatches = new Map<string, Known>();
  /** Notices of earlier runs, which its receiver has, too. */
  private readonly earlier: number;
  private handled: number;
  private hasCurtailed = false;

  constructor(
    private readonly service: Running,
    private readonly of: { readonly call: Send; readonly hook: Receiver },
    private readonly habits: Habits,
  ) {
    this.earlier = this.noticed().length;
    this.handled = this.earlier;
  }

  /** Runs for some minutes. `notices` maps a number of minutes to the number of notices expected by then. */
  async live(minutes: number, notices: Readonly<Record<number, number>>): Promise<void> {
    for (let minute = 0; minute <= minutes; minute++) {
      const expected = notices[minute];
      if (expected !== undefined) await this.of.hook.notices(this.earlier + expected);
      await attemptsRecorded(this.service);
      await this.follow();
      await this.send();
      this.service.clock.advance({ minutes: 1 });
    }
  }

  private async follow(): Promise<void> {
    for (const { event, resource } of this.noticed().slice(this.handled)) {
      this.handled += 1;
      const isFollowed = this.habits.fetches && (event === "dispatch.create" || this.habits.followsUpdates);
      if (!isFollowed) continue;
      const { body } = await this.of.call("GET", resource.replace("/2022-04-15", ""));
      this.dispatches.set(resource, body as Known);
    }
  }

  private noticed() {
    return this.of.hook.received.filter(({ event }) => event !== "");
  }

  private async send(): Promise<void> {
    const now = this.service.clock.now();
    const isCalled = [...this.dispatches.values()].some((each) => isInProgress(each, now));
    this.hasCurtailed ||= isCalled;
    const isCurtailed = isCalled || (this.hasCurtailed && !this.habits.stops);
    const kW = isCurtailed ? CURTAILED_KW : NORMAL_KW;
    const reading = { interval_seconds: 60, timestamp: now.toISOString(), meter_id: LAKESIDE_METER, kW };
    await this.of.call(uploadTelemetry, { body: { telemetry: [reading] } });
  }
}

const isInProgress = ({ authorized, start_time, end_time }: Known, now: Date): boolean =>
  authorized && new Date(start_time) <= now && (end_time === null || new Date(end_time) > now);
