import type { OperatingAnswer } from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";
import type { VenAct } from "../../openadr/operations/ven-channel.js";
import type { Clock } from "../../platform/clock.js";
import type { FoundObject } from "../domain/stored-object.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";

/** An event in the state that an answer carried to a VEN. */
export interface ShownEvent {
  readonly eventId: string;
  readonly modifiedAt: Date;
}

/** What VENs did with the events of dispatches. */
export interface DispatchActStore {
  /** Keeps the first answer to a client for each state of a dispatch; returns the states that were new. */
  show(clientId: string, events: readonly ShownEvent[], at: Date): Promise<readonly DispatchState[]>;
  /** Keeps an answer to the newest state that the client could see; null: it could see none. */
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
  readonly acts: Pick<DispatchActStore, "show">;
  readonly noteRehearsal: NoteRehearsal;
  readonly clock: Clock;
}

/** Some 10 MB. Forgotten ones are written once more, without effect. */
const MAX_REMEMBERED = 50_000;

/** Records which states of dispatches VENs were sent, before they are sent; once for each, so that polls cost no writes. */
export class ShownEvents {
  private readonly remembered = new Set<string>();

  constructor(private readonly ports: ShowingPorts) {}

  async note(caller: Openadr3Caller, objects: readonly FoundObject[]): Promise<void> {
    if (isBusinessLogic(caller)) return;
    const fresh = objects.filter(({ source }) => source?.kind === "dispatch").filter((event) => !this.knows(event));
    if (fresh.length === 0) return;
    const { acts, clock, noteRehearsal } = this.ports;
    const at = clock.now();
    const shown = fresh.map(({ id: eventId, modifiedAt }) => ({ eventId, modifiedAt }));
    const states = await acts.show(caller.client.id, shown, at);
    await rehearsed(caller.client.environment, "ven_polled", states, (noted) => noteRehearsal(noted, at));
    if (this.remembered.size + fresh.length > MAX_REMEMBERED) this.remembered.clear();
    for (const event of fresh) this.remembered.add(keyOf(event));
  }

  private knows(event: FoundObject): boolean {
    return this.remembered.has(keyOf(event));
  }
}

/** An event is for one ven. */
const keyOf = ({ id, modifiedAt }: FoundObject): string => `${id} ${modifiedAt.getTime()}`;

/** Notes acts of the sandbox. */
export const rehearsed = async (
  environment: Environment,
  what: VenAct["what"],
  states: readonly DispatchState[],
  note: (acts: readonly VenAct[]) => Promise<void>,
): Promise<void> => {
  if (environment !== "sandbox" || states.length === 0) return;
  await note(states.map(({ dispatchId, modificationNumber: number }) => ({ what, dispatchId, number })));
};
