import type { OperatingAnswer } from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";
import type { VenAct } from "../../openadr/operations/ven-channel.js";
import type { Clock } from "../../platform/clock.js";
import { modifiedBy, type Tracing, type WholeSpan } from "../../platform/tracing.js";
import type { FoundObject } from "../domain/stored-object.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";

/** An event in the state that an answer carried to a VEN. */
export interface ShownEvent {
  readonly eventId: string;
  readonly modifiedAt: Date;
}

/** A list of events from which a VEN may conclude that those left out are over. */
export interface WholeList {
  readonly eventIds: readonly string[];
  /** Whether it leaves out events that have ended. */
  readonly isActiveOnly: boolean;
  /** Of a last page: when its first event was created, before which others may be on earlier pages; null: it has all. */
  readonly from: Date | null;
  /** Earlier changes are not read. */
  readonly since: Date;
}

/** What VENs did with the events of dispatches. */
export interface DispatchActStore {
  /** Keeps the first answer to a client for each state of a dispatch; returns the states that were new. */
  show(clientId: string, events: readonly ShownEvent[], at: Date): Promise<readonly DispatchState[]>;
  /** The same for states that a list showed by leaving an event out: it was deleted, or has ended early. */
  leaveOut(clientId: string, list: WholeList, at: Date): Promise<readonly DispatchState[]>;
  /** Keeps an answer to the newest state that the client could see; null: it could see none, or answered the same before. */
  answer(given: GivenAnswer): Promise<DispatchState | null>;
}

export interface DispatchState {
  readonly dispatchId: string;
  readonly modificationNumber: number;
}

export interface GivenAnswer extends OperatingAnswer {
  readonly clientId: string;
  readonly eventId: string;
  readonly reportId: string;
  readonly at: Date;
}

/** Notes what VENs of the sandbox do, for the report of a scenario. */
export type NoteRehearsal = (acts: readonly VenAct[], at: Date) => Promise<void>;

export interface ShowingPorts {
  readonly acts: Pick<DispatchActStore, "show" | "leaveOut">;
  /** Called for each answer to a VEN. */
  readonly notePoll: (clientId: string, at: Date) => void;
  readonly noteRehearsal: NoteRehearsal;
  readonly clock: Clock;
  /** null: polls are not traced. */
  readonly tracing: Tracing | null;
}

export interface AnsweredEvents {
  readonly objects: readonly FoundObject[];
  /** Which of its events the answer is sure to have: all, all that have not ended, or only the given ones. */
  readonly has: "all" | "active" | "given";
  /** Whether it is the last page of several, which has them only from its first event on. */
  readonly isLastPage: boolean;
  /** null: it was read from the database. */
  readonly own: OwnEvents | null;
}

/** The events that are for a VEN alone, as an answer from memory has them. */
export interface OwnEvents {
  /** Another object once anything of the VEN has changed. */
  readonly of: object;
  /** Which of them are listed, and how many are over. */
  readonly mark: string;
}

/** Some 10 MB. Forgotten ones are written once more, without effect. */
const MAX_REMEMBERED = 50_000;

/** A VEN that polls less often than this learns of a deletion only when it is over anyway. */
const LEFT_OUT_MS = 24 * 3_600_000;

/** Records which states of dispatches VENs were sent, before they are sent; once for each, so that polls cost no writes. */
export class ShownEvents {
  private readonly remembered = new Set<string>();
  /** Answers from memory that showed the same of the events of their VEN. */
  private readonly noted = new WeakMap<object, Set<string>>();

  constructor(private readonly ports: ShowingPorts) {}

  async note(caller: Openadr3Caller, answer: AnsweredEvents): Promise<void> {
    if (isBusinessLogic(caller)) return;
    const { id, environment } = caller.client;
    const { clock, noteRehearsal, notePoll, tracing } = this.ports;
    const at = clock.now();
    if (this.isNoted(answer)) return notePoll(id, at);
    const states = [...(await this.show(id, answer, at)), ...(await this.leaveOut(id, answer, at))];
    await rehearsed(environment, "openadr3_polled", states, (noted) => noteRehearsal(noted, at));
    if (tracing !== null && environment === "production")
      traceStates(tracing, id, states, { startsAt: at, endsAt: clock.now() });
    this.keepNoted(answer);
    notePoll(id, at);
  }

  private isNoted(answer: AnsweredEvents): boolean {
    return answer.own !== null && this.noted.get(answer.own.of)?.has(shownBy(answer)) === true;
  }

  private keepNoted(answer: AnsweredEvents): void {
    if (answer.own === null) return;
    const noted = this.noted.get(answer.own.of) ?? new Set();
    if (noted.size >= MOST_NOTED) noted.clear();
    this.noted.set(answer.own.of, noted.add(shownBy(answer)));
  }

  private async show(clientId: string, { objects }: AnsweredEvents, at: Date): Promise<readonly DispatchState[]> {
    const fresh = objects.filter(({ source }) => source?.kind === "dispatch").filter((event) => !this.knows(event));
    if (fresh.length === 0) return [];
    const shown = fresh.map(({ id: eventId, modifiedAt }) => ({ eventId, modifiedAt }));
    const states = await this.ports.acts.show(clientId, shown, at);
    if (this.remembered.size + fresh.length > MAX_REMEMBERED) this.remembered.clear();
    for (const event of fresh) this.remembered.add(keyOf(event));
    return states;
  }

  private async leaveOut(
    clientId: string,
    { objects, has, isLastPage }: AnsweredEvents,
    at: Date,
  ): Promise<readonly DispatchState[]> {
    const from = isLastPage ? (objects[0]?.createdAt ?? at) : null;
    if (has === "given") return [];
    const since = new Date(at.getTime() - LEFT_OUT_MS);
    const eventIds = objects.map(({ id }) => id);
    return this.ports.acts.leaveOut(clientId, { eventIds, isActiveOnly: has === "active", from, since }, at);
  }

  private knows(event: FoundObject): boolean {
    return this.remembered.has(keyOf(event));
  }
}

const traceStates = (
  tracing: Tracing,
  clientId: string,
  states: readonly DispatchState[],
  times: Pick<WholeSpan, "startsAt" | "endsAt">,
): void => {
  for (const { dispatchId, modificationNumber } of states)
    tracing.note(modifiedBy(dispatchId, modificationNumber), "ven poll 3.1", {
      ...times,
      error: null,
      attributes: {
        "curtail.dispatch.id": dispatchId,
        "curtail.dispatch.modification": modificationNumber,
        "curtail.openadr3.client.id": clientId,
      },
    });
};

/** Kinds of answers to one VEN. */
const MOST_NOTED = 20;

const shownBy = ({ has, isLastPage, objects, own }: AnsweredEvents): string =>
  `${has} ${isLastPage ? objects[0]?.createdAt.getTime() : ""} ${own?.mark}`;

/** An event is for one ven. */
const keyOf = ({ id, modifiedAt }: FoundObject): string => `${id} ${modifiedAt.getTime()}`;

interface Answering {
  readonly client: Openadr3Caller["client"];
  readonly answer: Omit<GivenAnswer, "clientId" | "reportId" | "at">;
  readonly reportId: string;
  readonly at: Date;
}

/** Keeps what a report answers to its dispatch, in the transaction that stores the report. */
export const keepAnswer = async (
  { noteRehearsal }: Pick<ShowingPorts, "noteRehearsal">,
  acts: Pick<DispatchActStore, "answer">,
  { client, answer, reportId, at }: Answering,
): Promise<void> => {
  const state = await acts.answer({ ...answer, clientId: client.id, reportId, at });
  if (state === null || answer.opt === null) return;
  await rehearsed(client.environment, "openadr3_acknowledged", [state], (noted) => noteRehearsal(noted, at));
};

/** Notes acts of the sandbox. */
const rehearsed = async (
  environment: Environment,
  what: VenAct["what"],
  states: readonly DispatchState[],
  note: (acts: readonly VenAct[]) => Promise<void>,
): Promise<void> => {
  if (environment !== "sandbox" || states.length === 0) return;
  await note(states.map(({ dispatchId, modificationNumber: number }) => ({ what, dispatchId, number })));
};
