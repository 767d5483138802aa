import { acknowledge, type CreatedEvent, type EiResponse, type VenState, type Verdict } from "@curtail/openadr";
import type { Ven } from "../domain/ven.js";
import type { TakenAnswers } from "../operations/ven-channel.js";
import { fromAcknowledgement, stateOf } from "./ven-listing.js";
import type { VtnPorts } from "./vtn-ports.js";

/** Takes a VEN's answers to events; says what to answer it. */
export const takeAnswers = async (
  { channel, clock, log }: VtnPorts,
  ven: Ven,
  message: CreatedEvent,
): Promise<EiResponse> => {
  const dispatches = await channel.dispatchesOf(ven).calling(ven);
  const currentModifications = new Map(
    dispatches.map(({ dispatch }) => [dispatch.id, dispatch.modificationNumber] as const),
  );
  const now = clock.now();
  const dispatchIds = [...new Set(message.eventResponses.map(({ eventId }) => eventId))];
  const { response, verdicts } = await channel.memory.takeAnswers({ ven, dispatchIds, at: now }, (events) => {
    const before = stateOf(events);
    const taken = acknowledge(message, { state: before, currentModifications, now });
    return { ...taken, ...changesOf(before, taken) };
  });
  const optedOut = verdicts.filter(({ acknowledgement }) => acknowledgement.optType === "optOut");
  if (optedOut.length > 0) {
    log.info({ ven: ven.id, events: optedOut.map(({ eventId }) => eventId) }, "a VEN opts out of events");
  }
  return response;
};

interface Taken {
  readonly state: VenState;
  readonly verdicts: readonly Verdict[];
}

/** What did not change is the same object as before. */
const changesOf = (before: VenState, { state, verdicts }: Taken): TakenAnswers => ({
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
});
