import type { Event } from "@curtail/openadr";
import type { VenClient } from "./ven-client.js";

/** What a VEN makes its loads do for an event. */
export interface Plan {
  readonly startsAt: Date;
  /** null: until further notice. */
  readonly endsAt: Date | null;
  readonly level: number;
}

/**
 * A VEN as vendors build them: it polls, answers when asked, follows the newest modification, and stops when an event
 * is cancelled or no longer listed.
 */
export class VendorVen {
  private plans = new Map<string, Plan>();

  constructor(private readonly client: VenClient) {}

  /** Returns what it curtails from now on, by event. */
  async poll(): Promise<ReadonlyMap<string, Plan>> {
    const reply = await this.client.request();
    // Without a valid answer it continues as before.
    if (reply.status !== 200) return this.plans;
    const events = await this.client.events();
    const asking = events.filter(({ responseRequired }) => responseRequired === "always");
    if (asking.length > 0) await this.client.answer(asking);
    this.plans = new Map(events.filter(isToFollow).map((event) => [event.descriptor.eventId, planOf(event)]));
    return this.plans;
  }

  /** Forgets everything, as after a power failure. */
  restart(): void {
    this.plans = new Map();
  }

  levelAt(eventId: string, at: Date): number {
    const plan = this.plans.get(eventId);
    const isOn = plan !== undefined && plan.startsAt <= at && (plan.endsAt === null || at < plan.endsAt);
    return isOn ? plan.level : 0;
  }
}

const isToFollow = ({ descriptor }: Event): boolean => !["cancelled", "completed"].includes(descriptor.status);

const planOf = ({ activePeriod: { start, durationSeconds }, signals }: Event): Plan => ({
  startsAt: start,
  endsAt: durationSeconds === 0 ? null : new Date(start.getTime() + durationSeconds * 1000),
  level: signals[0]?.intervals[0]?.level ?? 0,
});
