import { type Dispatch, eventDurationSeconds, later, notificationSeconds, wireEnd, wireStart } from "./dispatch.js";
import type { Event } from "./event.js";
import type { EventSignal } from "./event-signal.js";
import { type Course, courseOf, statusOf } from "./event-status.js";
import type { EventTarget } from "./event-target.js";
import { compareText, prioritiesOf } from "./priority.js";
import { hasAnswered, type VenState } from "./ven-state.js";

export interface Ven {
  readonly venId: string;
  /**
   * Whether events target the venID as well as the resources; a VEN without configured resources otherwise opts out.
   */
  readonly targetVenId: boolean;
  /** Which id of a site goes into the target; without a customer location id, the site's own. */
  readonly resourceIdFrom: "site_id" | "customer_location_id";
  /** Whether the VEN has to acknowledge events. */
  readonly askToAnswer: boolean;
}

/** The inputs of a VEN's events. */
export interface Listing {
  readonly ven: Ven;
  /** Dispatches of the VEN's sites: all that are not over, and those that ended or were cancelled recently. */
  readonly dispatches: readonly Dispatch[];
  readonly state: VenState;
  readonly now: Date;
}

/** How long a completed event stays listed after its end. */
export const COMPLETED_LISTED_SECONDS = 5 * 60;
/** How long a cancelled event stays listed for a VEN that does not acknowledge it, or need not. */
export const CANCELLED_LISTED_SECONDS = 30 * 60;
export const CANCELLED_UNASKED_LISTED_SECONDS = 5 * 60;

/**
 * All events of a VEN at this time, in the order to send. Send all of them every time: a VEN takes a missing event for
 * cancelled.
 */
export const listEvents = (listing: Listing): Event[] => {
  const priorities = prioritiesOf(listing.dispatches);
  return listing.dispatches
    .filter((dispatch) => isListed(dispatch, listing))
    .map((dispatch) => rank(dispatch, priorities.get(dispatch.id) ?? 1, listing.now))
    .sort(byRank)
    .map((ranked) => toEvent(ranked, listing));
};

/** The events within the VEN's replyLimit, and how many were cut off; null and 0 mean no limit. */
export const limitEvents = (
  events: readonly Event[],
  replyLimit: number | null,
): { readonly events: readonly Event[]; readonly leftOut: number } => {
  const limit = replyLimit === null || replyLimit === 0 ? events.length : replyLimit;
  return { events: events.slice(0, limit), leftOut: Math.max(0, events.length - limit) };
};

const isListed = (dispatch: Dispatch, { ven, state, now }: Listing): boolean => {
  const known = state.get(dispatch.id);
  if (dispatch.cancelledAt !== null) {
    if (known === undefined || hasAnswered(known, dispatch.modificationNumber)) return false;
    const seconds = ven.askToAnswer ? CANCELLED_LISTED_SECONDS : CANCELLED_UNASKED_LISTED_SECONDS;
    return now < later(dispatch.cancelledAt, seconds);
  }
  if (now < dispatch.notification) return false;
  const end = wireEnd(dispatch);
  return end === null || now < later(end, COMPLETED_LISTED_SECONDS);
};

interface Ranked {
  readonly dispatch: Dispatch;
  readonly priority: number;
  readonly group: 0 | 1 | 2;
}

/** Active first, then pending, completed last; a cancelled event keeps its position. */
const groups: Readonly<Record<Course, Ranked["group"]>> = { active: 0, near: 1, far: 1, completed: 2 };

const rank = (dispatch: Dispatch, priority: number, now: Date): Ranked => ({
  dispatch,
  priority,
  group: groups[courseOf(dispatch, now)],
});

const byRank = (a: Ranked, b: Ranked): number => {
  const byPriority = a.priority - b.priority;
  const byStart = a.dispatch.start.getTime() - b.dispatch.start.getTime();
  const within = a.group === 0 ? byPriority || byStart : byStart || byPriority;
  return a.group - b.group || within || compareText(a.dispatch.id, b.dispatch.id);
};

const toEvent = ({ dispatch, priority }: Ranked, { ven, state, now }: Listing): Event => {
  const status = statusOf(dispatch, now);
  const answered = hasAnswered(state.get(dispatch.id), dispatch.modificationNumber);
  return {
    descriptor: {
      eventId: dispatch.id,
      modificationNumber: dispatch.modificationNumber,
      priority,
      marketContext: dispatch.marketContext,
      createdAt: now,
      status,
      test: dispatch.test,
      vtnComment: dispatch.comment,
    },
    activePeriod: {
      start: wireStart(dispatch),
      durationSeconds: eventDurationSeconds(dispatch),
      startAfterSeconds: 0,
      notificationSeconds: notificationSeconds(dispatch),
      rampUpSeconds: dispatch.rampUpSeconds,
      recoverySeconds: dispatch.recoverySeconds,
    },
    signals: [simpleSignal(dispatch, status === "active")],
    target: targetOf(dispatch, ven),
    responseRequired: ven.askToAnswer && !answered ? "always" : "never",
  };
};

const targetOf = ({ sites }: Dispatch, ven: Ven): EventTarget => {
  const byLocation = ven.resourceIdFrom === "customer_location_id";
  const resourceIds = sites.map((site) => (byLocation && site.customerLocationId) || site.id);
  return {
    groupIds: [],
    // Several sites may have the same customer location id.
    resourceIds: [...new Set(resourceIds)],
    venIds: ven.targetVenId ? [ven.venId] : [],
    partyIds: [],
  };
};

/** One interval as long as the active period. */
const simpleSignal = (dispatch: Dispatch, active: boolean): EventSignal => ({
  name: "simple",
  type: "level",
  id: "0",
  intervals: [{ durationSeconds: eventDurationSeconds(dispatch), uid: "0", level: dispatch.level }],
  currentLevel: active ? dispatch.level : 0,
});
