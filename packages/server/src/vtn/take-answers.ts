import { acknowledge, type CreatedEvent, type EiResponse, type KnownEvent, type Verdict } from "@curtail/openadr";
import type { Ven } from "../domain/ven.js";
import type { AnsweredEvent, TakenAnswers } from "../operations/ven-channel.js";
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
    const state = stateOf(events);
    const taken = acknowledge(message, { state, currentModifications, now });
    return { ...taken, ...changesOf(events, taken) };
  });
  const optedOut = verdicts.filter(({ acknowledgement }) => acknowledgement.optType === "optOut");
  if (optedOut.length > 0) {
    log.info({ ven: ven.id, events: optedOut.map(({ eventId }) => eventId) }, "a VEN opts out of events");
  }
  return response;
};

interface Taken {
  readonly state: ReadonlyMap<string, KnownEvent>;
  readonly verdicts: readonly Verdict[];
}

const changesOf = (events: readonly AnsweredEvent[], { state, verdicts }: Taken): TakenAnswers => ({
  acknowledged: events.flatMap(({ dispatchId, acknowledged }) => {
    const next = state.get(dispatchId)?.acknowledged ?? null;
    const isSame = next === null || next.at.getTime() === acknowledged?.at.getTime();
    return isSame ? [] : [{ dispatchId, acknowledgement: fromAcknowledgement(next) }];
  }),
  heard: verdicts
    .filter(({ eventId, repeated }) => !repeated && state.has(eventId))
    .map(({ eventId, acknowledgement }) => ({
      dispatchId: eventId,
      acknowledgement: fromAcknowledgement(acknowledgement),
    })),
});
