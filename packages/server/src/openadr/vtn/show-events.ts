import { buildMessage, type EiResponse, type Event, limitEvents, listEvents, okResponse } from "@curtail/openadr";
import type { Stamps } from "../../platform/stamps.js";
import { modifiedBy } from "../../platform/tracing.js";
import type { Ven, VenEvent } from "../domain/ven.js";
import type { PreviewVen, Showing } from "../operations/ven-channel.js";
import { listingOf } from "./ven-listing.js";
import type { VtnPorts } from "./vtn-ports.js";

export interface ShowRequest {
  readonly how: "poll" | "push";
  /** Read for this message. */
  readonly stamps: Stamps;
  /** null and 0 mean no limit. */
  readonly replyLimit: number | null;
  /** Whether the sender still waits: a message that nobody receives is not recorded as sent. */
  readonly isAwaited: () => boolean;
}

/**
 * The events to send to a VEN now. New ones are recorded before sending: a VEN may only acknowledge recorded events.
 */
export const showEvents = async (ports: VtnPorts, ven: Ven, request: ShowRequest): Promise<readonly Event[]> => {
  const { all, known, now } = await currentEvents(ports, ven, request.stamps);
  const { events, leftOut } = limitEvents(all, request.replyLimit);
  if (request.how === "poll") await notePolled(ports, ven, { events, now, isAwaited: request.isAwaited });
  const showings = unrecorded(ports, { ven, events, known, how: request.how });
  const omitted = leftOut === 0 ? [] : ports.omitted.newOf(ven.id, all.slice(events.length).map(toShowing));
  if (showings.length === 0 && omitted.length === 0) return events;
  refuseLate(request);
  const { how, replyLimit } = request;
  await ports.channel.memory.show({ ven, how, replyLimit, at: now, showings, omitted });
  if (request.how === "poll") traceShown(ports, ven, showings, now);
  ports.omitted.remember(ven.id, omitted);
  if (request.how === "poll") ports.polled.remember(ven.id, showings);
  if (omitted.length > 0) logOmitted(ports, ven, omitted);
  return events;
};

/** Scenarios of the sandbox are not traced. */
const traceShown = ({ tracing, clock }: VtnPorts, ven: Ven, showings: readonly Showing[], startsAt: Date): void => {
  if (tracing === null || ven.environment !== "production") return;
  const endsAt = clock.now();
  for (const { dispatchId, modificationNumber } of showings)
    tracing.note(modifiedBy(dispatchId, modificationNumber), "ven poll 2.0a", {
      startsAt,
      endsAt,
      error: null,
      attributes: {
        "curtail.account.id": ven.accountId,
        "curtail.dispatch.id": dispatchId,
        "curtail.dispatch.modification": modificationNumber,
        "curtail.ven.id": ven.id,
      },
    });
};

const refuseLate = ({ isAwaited }: Pick<ShowRequest, "isAwaited">): void => {
  if (!isAwaited()) throw new Error("the VEN received status 503 before its events were known");
};

type Polled = Pick<ShowRequest, "isAwaited"> & { readonly events: readonly Event[]; readonly now: Date };

const notePolled = async ({ channel }: VtnPorts, ven: Ven, { events, now, isAwaited }: Polled): Promise<void> => {
  const { note } = channel.dispatchesOf(ven);
  if (note === undefined || events.length === 0) return;
  refuseLate({ isAwaited });
  const acts = events.map(({ descriptor: { eventId: dispatchId, modificationNumber: number } }) => ({
    what: "ven_polled" as const,
    dispatchId,
    number,
  }));
  await note(acts, now);
};

interface Answering {
  readonly ven: Ven;
  readonly events: readonly Event[];
  readonly known: ReadonlyMap<string, VenEvent>;
  readonly how: ShowRequest["how"];
}

/** A push may or may not have arrived, so the first poll that carries the event is recorded as well. */
const unrecorded = ({ polled }: VtnPorts, { ven, events, known, how }: Answering): Showing[] =>
  ven.push !== null && how === "poll"
    ? polled.newOf(ven.id, events.map(toShowing))
    : events.filter((event) => isNew(event, known)).map(toShowing);

const logOmitted = ({ log }: VtnPorts, { id: ven }: Ven, omitted: readonly Showing[]): void =>
  log.warn(
    { ven, events: omitted.map(({ dispatchId }) => dispatchId) },
    "a VEN's replyLimit omits events, which cancels them for the VEN; ask its vendor to raise the limit",
  );

/** The message with these events: the answer to a request or, without a response, a push. */
export const distributed = (
  { vtnId, newId }: VtnPorts,
  response: EiResponse | null,
  events: readonly Event[],
): string => buildMessage({ kind: "distributeEvent", response, requestId: newId("req"), vtnId, events });

/** The message to push to a VEN. */
export const pushMessage =
  (ports: VtnPorts) =>
  async (ven: Ven): Promise<string> => {
    const request = { how: "push", stamps: await ports.readStamps(), replyLimit: null, isAwaited: () => true } as const;
    return distributed(ports, null, await showEvents(ports, ven, request));
  };

export const previewVen =
  (ports: VtnPorts): PreviewVen =>
  async (ven) =>
    distributed(ports, okResponse(""), (await currentEvents(ports, ven, await ports.readStamps())).all);

interface Current {
  readonly all: readonly Event[];
  readonly known: ReadonlyMap<string, VenEvent>;
  readonly now: Date;
}

const currentEvents = async ({ channel, clock }: VtnPorts, ven: Ven, stamps: Stamps): Promise<Current> => {
  const dispatches = await channel.dispatchesOf(ven).calling(ven, stamps);
  const ids = dispatches.map(({ dispatch }) => dispatch.id);
  const known = await channel.memory.known(ven, ids, stamps);
  const now = clock.now();
  const all = listEvents(listingOf(ven, { dispatches, known, now }));
  return { all, known: new Map(known.map((event) => [event.dispatchId, event])), now };
};

const isNew = ({ descriptor }: Event, known: ReadonlyMap<string, VenEvent>): boolean =>
  known.get(descriptor.eventId)?.shownModification !== descriptor.modificationNumber;

const toShowing = ({ descriptor }: Event): Showing => ({
  dispatchId: descriptor.eventId,
  modificationNumber: descriptor.modificationNumber,
  priority: descriptor.priority,
});
