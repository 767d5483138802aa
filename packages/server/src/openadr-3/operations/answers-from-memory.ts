import type { VenGrants } from "@curtail/openadr-3";
import { BoundedMap } from "../../platform/bounded-map.js";
import type { Clock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import type { FoundObject, StoredObjectType } from "../domain/stored-object.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";
import type { VenHoldings } from "./held-objects.js";
import type { ObjectMemory } from "./object-memory.js";
import type { ObjectQuery } from "./object-query.js";
import type { SightedList, VenSight } from "./ven-sight.js";

/** Of lists as they were sent. */
const MOST_BYTES = 32 * 1024 * 1024;
const LIST_BYTES = 500;

export interface AnswerPorts {
  readonly memory: Pick<ObjectMemory, "sightOf">;
  /** Afterwards the memory knows of everything that was committed before the call. */
  readonly catchUp: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

interface SightedObject {
  readonly object: FoundObject;
  /** null: its owner decides who sees it. */
  readonly grants: VenGrants | null;
}

interface MadeList {
  readonly holdings: VenHoldings;
  readonly version: number;
  readonly list: SightedList;
}

/** Answers to VENs from memory, none older than its question. */
export class AnswersFromMemory {
  private readonly made: BoundedMap<MadeList>;

  constructor(
    private readonly ports: AnswerPorts,
    mostBytes = MOST_BYTES,
  ) {
    this.made = new BoundedMap(mostBytes);
  }

  /** What the caller sees; null: business logic, or not in memory. */
  async sightOf(caller: Openadr3Caller): Promise<VenSight | null> {
    if (isBusinessLogic(caller)) return null;
    const hasCaughtUp = await this.ports.catchUp().then(
      () => true,
      () => false,
    );
    return hasCaughtUp ? this.sightNow(caller) : null;
  }

  /** The same for a caller who has caught up. */
  private async sightNow({ client }: Openadr3Caller): Promise<VenSight | null> {
    try {
      return await this.ports.memory.sightOf(client);
    } catch (error) {
      this.ports.log.warn(
        { err: error },
        "objects of OpenADR 3 could not be read for memory; answering from the database",
      );
      return null;
    }
  }

  /** null: to be searched in the database. */
  async search(caller: Openadr3Caller, type: StoredObjectType, query: ObjectQuery): Promise<SightedList | null> {
    const sight = await this.sightOf(caller);
    return sight === null ? null : this.listOf(sight, caller, { type, query, name: nameOf(type, query) });
  }

  /** The same for a caller who has caught up. */
  async searchNow(caller: Openadr3Caller, search: NamedSearch): Promise<SightedList | null> {
    const sight = isBusinessLogic(caller) ? null : await this.sightNow(caller);
    return sight === null ? null : this.listOf(sight, caller, search);
  }

  /** undefined: to be found in the database. */
  async find(caller: Openadr3Caller, type: StoredObjectType, id: string): Promise<SightedObject | null | undefined> {
    if (type !== "PROGRAM" && type !== "EVENT" && type !== "VEN") return undefined;
    const sight = await this.sightOf(caller);
    if (sight === null) return undefined;
    const object = sight.find(type, id);
    return object && { object, grants: type === "VEN" ? null : sight.grants };
  }

  private listOf(sight: VenSight, { client }: Openadr3Caller, { type, query, name }: NamedSearch): SightedList | null {
    const key = `${client.id} ${name}`;
    const now = this.ports.clock.now();
    const made = this.made.get(key);
    if (made !== undefined && sight.isOf(made.holdings, made.version) && isStill(made.list, now)) return made.list;
    const list = sight.search(type, query, now);
    if (list === null) return null;
    const [holdings, version] = sight.basis;
    this.made.set(key, { holdings, version, list }, LIST_BYTES + list.json.length * 2);
    return list;
  }
}

const isStill = ({ until }: SightedList, now: Date): boolean => until === null || now < until;

/** A search, and what tells it from others. */
export interface NamedSearch {
  readonly type: StoredObjectType;
  readonly query: ObjectQuery;
  readonly name: string;
}

export const nameOf = (type: StoredObjectType, query: ObjectQuery): string => `${type} ${JSON.stringify(query)}`;
