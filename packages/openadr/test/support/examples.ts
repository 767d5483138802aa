import type { CreatedEvent, EventResponse } from "../../src/created-event.js";
import type { Dispatch } from "../../src/dispatch.js";
import type { DistributeEvent } from "../../src/distribute-event.js";
import type { Event } from "../../src/event.js";
import { type Listing, listEvents, type Ven } from "../../src/list-events.js";
import { okResponse } from "../../src/response.js";

export const at = (time: string): Date => new Date(`2026-06-01T${time}Z`);

export const anEvent = (changes: Partial<Event> = {}): Event => ({
  descriptor: {
    eventId: "dispatch-1",
    modificationNumber: 2,
    priority: 1,
    marketContext: "*",
    createdAt: at("12:00:00"),
    status: "far",
    test: false,
    vtnComment: "Peak of the evening",
  },
  activePeriod: {
    start: at("18:00:00"),
    durationSeconds: 5400,
    startAfterSeconds: 0,
    notificationSeconds: 21_600,
    rampUpSeconds: 600,
    recoverySeconds: 300,
  },
  signals: [
    {
      name: "simple",
      type: "level",
      id: "0",
      intervals: [{ durationSeconds: 5400, uid: "0", level: 2 }],
      currentLevel: 0,
    },
  ],
  target: { groupIds: ["stores"], resourceIds: ["site-1", "site-2"], venIds: ["ven-1"], partyIds: ["party-1"] },
  responseRequired: "always",
  ...changes,
});

export const distributing = (...events: Event[]): DistributeEvent => ({
  kind: "distributeEvent",
  response: okResponse("request-7"),
  requestId: "answer-7",
  vtnId: "curtail",
  events,
});

export const answer = (eventId: string, changes: Partial<EventResponse> = {}): EventResponse => ({
  ...okResponse("answer-7"),
  eventId,
  modificationNumber: 0,
  optType: "optIn",
  ...changes,
});

export const createdEvent = (...eventResponses: EventResponse[]): CreatedEvent => ({
  kind: "createdEvent",
  response: okResponse("answer-7"),
  eventResponses,
  venId: "ven-1",
});

/** A dispatch from 18:00 to 19:30, notified at noon. */
export const aDispatch = (changes: Partial<Dispatch> = {}): Dispatch => ({
  id: "dispatch-1",
  notification: at("12:00:00"),
  start: at("18:00:00"),
  end: at("19:30:00"),
  modificationNumber: 0,
  createdAt: at("11:00:00"),
  cancelledAt: null,
  test: false,
  level: 2,
  rampUpSeconds: 600,
  recoverySeconds: 0,
  marketContext: "*",
  priority: null,
  sites: [{ id: "site-1", customerLocationId: "" }],
  comment: null,
  ...changes,
});

export const aVen = (changes: Partial<Ven> = {}): Ven => ({
  venId: "ven-1",
  targetVenId: true,
  resourceIdFrom: "site_id",
  askToAnswer: true,
  ...changes,
});

export const aListing = (now: Date, ...dispatches: Dispatch[]): Listing => ({
  ven: aVen(),
  dispatches,
  state: new Map(),
  now,
});

/** What a VEN gets at this time if it has received nothing yet. */
export const listed = (now: Date, ...dispatches: Dispatch[]): Event[] => listEvents(aListing(now, ...dispatches));
