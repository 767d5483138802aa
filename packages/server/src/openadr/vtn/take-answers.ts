import {
  type Acknowledged,
  acknowledge,
  type CreatedEvent,
  type EiResponse,
  isError,
  type ReportedError,
  type VenState,
  type Verdict,
} from "@curtail/openadr";
import type { Stamps } from "../../platform/stamps.js";
import type { Ven, VenError } from "../domain/ven.js";
import type { TakenAnswers, VenAct } from "../operations/ven-channel.js";
import { fromAcknowledgement, stateOf } from "./ven-listing.js";
import type { VtnPorts } from "./vtn-ports.js";

/** Records a VEN's answers to events; returns our response. */
export const takeAnswers = async (
  { channel, clock, log }: VtnPorts,
  { ven, stamps }: { readonly ven: Ven; readonly stamps: Stamps },
  message: CreatedEvent,
): Promise<EiResponse> => {
  const source = channel.dispatchesOf(ven);
  const dispatches = await source.calling(ven, stamps);
  const currentModifications = new Map(
    dispatches.map(({ dispatch }) => [dispatch.id, dispatch.modificationNumber] as const),
  );
  const now = clock.now();
  const dispatchIds = namesNoneOfItsErrors(message)
    ? [...currentModifications.keys()]
    : [...new Set(message.eventResponses.map(({ eventId }) => eventId))];
  const { response, verdicts, errors } = await channel.memory.takeAnswers({ ven, dispatchIds, at: now }, (events) => {
    const before = stateOf(events);
    const taken = acknowledge(message, { state: before, currentModifications, now });
    return { response: taken.response, verdicts: taken.verdicts, ...changesOf(before, taken) };
  });
  if (errors.length > 0 || isError(message.response.responseCode)) {
    const { responseCode: code } = message.response;
    log.warn(
      { ven: ven.id, code, errors: errors.slice(0, MAX_LOGGED) },
      "a VEN reported an error instead of an acknowledgement",
    );
  }
  const taken = verdicts.filter(({ responseCode }) => responseCode === "200");
  if (taken.length > 0) await source.note?.(taken.map(toAct), now);
  const optedOut = verdicts.filter(({ acknowledgement }) => acknowledgement.optType === "optOut");
  if (optedOut.length > 0) {
    log.info({ ven: ven.id, events: optedOut.map(({ eventId }) => eventId) }, "a VEN opted out of events");
  }
  return response;
};

const MAX_LOGGED = 20;
/** For the VEN's own text. */
const MAX_DESCRIPTION = 200;

/** An error of the whole message is about the events sent last. */
const namesNoneOfItsErrors = ({ response, eventResponses }: CreatedEvent): boolean =>
  eventResponses.length === 0 && isError(response.responseCode);

const toAct = ({ eventId: dispatchId, acknowledgement: { modificationNumber: number } }: Verdict): VenAct => ({
  what: "ven_acknowledged",
  dispatchId,
  number,
});

const toVenError = ({ eventId, description, ...rest }: ReportedError): VenError => ({
  ...rest,
  dispatchId: eventId,
  description: description?.slice(0, MAX_DESCRIPTION) ?? null,
});

/** An unchanged state is the same object as before. */
const changesOf = (before: VenState, { state, verdicts, errors }: Acknowledged): TakenAnswers => ({
  acknowledged: [...state].flatMap(([dispatchId, { acknowledged }]) =>
    acknowledged === null || acknowledged === before.get(dispatchId)?.acknowledged
      ? []
      : [{ dispatchId, acknowledgement: fromAcknowledgement(acknowledged) }],
  ),
  heard: verdicts
    .filter(({ eventId, repeated }) => !repeated && state.has(eventId))
    .map(({ eventId, acknowledgement }) => ({
      dispatchId: eventId,
      acknowledgement: fromAcknowledgement(acknowledgement),
    })),
  settled: verdicts.filter(({ responseCode }) => responseCode === "200").map(({ eventId }) => eventId),
  errors: errors.map(toVenError),
  isAcknowledgement: verdicts.length > 0,
});
