import type { CreatedEvent, EventResponse } from "./created-event.js";
import { type EiResponse, okResponse, RESPONSE_CODES } from "./response.js";
import { type Acknowledgement, hasAnswered, type KnownEvent, type VenState } from "./ven-state.js";

/** What an oadrCreatedEvent is checked against. */
export interface Acknowledging {
  readonly state: VenState;
  /** The current modification number of the VEN's dispatches by event id; without one, the last sent is current. */
  readonly currentModifications: ReadonlyMap<string, number>;
  readonly now: Date;
}

/** An error that a VEN reports for an event it received, and so has not acknowledged. */
export interface ReportedError {
  readonly eventId: string;
  readonly modificationNumber: number;
  /** The VEN's own response code. */
  readonly code: string;
  readonly description: string | null;
  readonly at: Date;
}

/** The verdict on one answer of a VEN. */
export interface Verdict {
  readonly eventId: string;
  readonly acknowledgement: Acknowledgement;
  readonly responseCode: "200" | "450" | "452";
  /** Whether the VEN sent the same answer before. */
  readonly repeated: boolean;
}

export interface Acknowledged {
  readonly state: VenState;
  /** For the acknowledgements only. */
  readonly verdicts: readonly Verdict[];
  readonly errors: readonly ReportedError[];
  /** The oadrResponse to return. */
  readonly response: EiResponse;
}

/** The most answers per event in the history, the newest: a VEN may answer without end. */
export const MAX_HISTORY = 100;

/**
 * Records a VEN's answers, requested or not, in any order and with repetitions. An answer to a superseded modification
 * goes into the history and has no other effect. An error that the VEN reports, for one answer or for the whole
 * message, leaves the state unchanged.
 */
export const acknowledge = (created: CreatedEvent, meets: Acknowledging): Acknowledged => {
  const state = new Map(meets.state);
  const judged: Verdict[] = [];
  const verdicts: Verdict[] = [];
  const errors: ReportedError[] = [];
  for (const response of created.eventResponses) {
    const { eventId } = response;
    const known = state.get(eventId);
    const current = meets.currentModifications.get(eventId) ?? known?.shownModification;
    const verdict = judge(response, { known, current, now: meets.now });
    judged.push(verdict);
    const failed = [response, created.response].find(({ responseCode }) => isError(responseCode));
    if (failed === undefined) {
      verdicts.push(verdict);
      if (known !== undefined) state.set(eventId, record(known, verdict));
    } else if (known !== undefined) errors.push(reported(failed, response, meets.now));
  }
  if (created.eventResponses.length === 0) errors.push(...errorsOfAll(created, meets));
  return { state, verdicts, errors, response: responseTo(created, judged) };
};

/** Codes that begin with 2 mean success. */
export const isError = (responseCode: string): boolean => !responseCode.startsWith("2");

const reported = (
  { responseCode, responseDescription }: EiResponse,
  { eventId, modificationNumber }: Pick<EventResponse, "eventId" | "modificationNumber">,
  at: Date,
): ReportedError => ({ eventId, modificationNumber, code: responseCode, description: responseDescription, at });

/** A message that reports an error without naming an event concerns those not yet answered. */
const errorsOfAll = ({ response }: CreatedEvent, { state, now }: Acknowledging): ReportedError[] => {
  if (!isError(response.responseCode)) return [];
  const owed = [...state].filter(([, known]) => !hasAnswered(known, known.shownModification));
  return owed.map(([eventId, { shownModification }]) =>
    reported(response, { eventId, modificationNumber: shownModification }, now),
  );
};

interface Judging {
  readonly known: KnownEvent | undefined;
  readonly current: number | undefined;
  readonly now: Date;
}

const judge = (response: EventResponse, { known, current, now }: Judging): Verdict => {
  const { eventId, modificationNumber, optType, responseCode } = response;
  const acknowledgement = { modificationNumber, optType, responseCode, at: now };
  if (known === undefined) {
    return { eventId, acknowledgement, responseCode: RESPONSE_CODES.unknownEvent, repeated: false };
  }
  const fits = modificationNumber === current;
  return {
    eventId,
    acknowledgement,
    responseCode: fits ? RESPONSE_CODES.ok : RESPONSE_CODES.outOfSequence,
    repeated: isRepeated(known, acknowledgement),
  };
};

const isRepeated = (
  { history }: KnownEvent,
  { modificationNumber, optType, responseCode }: Acknowledgement,
): boolean => {
  const latest = history.findLast((earlier) => earlier.modificationNumber === modificationNumber);
  return latest !== undefined && latest.optType === optType && latest.responseCode === responseCode;
};

const record = (known: KnownEvent, { acknowledgement, responseCode, repeated }: Verdict): KnownEvent => {
  if (repeated && known.acknowledged?.modificationNumber === acknowledgement.modificationNumber) return known;
  return {
    ...known,
    acknowledged: responseCode === RESPONSE_CODES.ok ? acknowledgement : known.acknowledged,
    history: repeated ? known.history : [...known.history, acknowledgement].slice(-MAX_HISTORY),
  };
};

/** One answer for the whole message: the gravest verdict. */
const responseTo = ({ response: { requestId } }: CreatedEvent, verdicts: readonly Verdict[]): EiResponse => {
  const unknown = countOf("452", verdicts);
  const outOfSequence = countOf("450", verdicts);
  if (unknown > 0) {
    const responseDescription = `${unknown} of the responses are for events that were not sent to this VEN`;
    return { responseCode: RESPONSE_CODES.unknownEvent, responseDescription, requestId };
  }
  if (outOfSequence > 0) {
    const responseDescription = `${outOfSequence} of the responses are not for the current modification; request events again`;
    return { responseCode: RESPONSE_CODES.outOfSequence, responseDescription, requestId };
  }
  return okResponse(requestId);
};

const countOf = (responseCode: Verdict["responseCode"], verdicts: readonly Verdict[]): number =>
  verdicts.filter((verdict) => verdict.responseCode === responseCode).length;
