import { isVisible, MAX_PAGE, matchedTargets, shownTargets, type VenGrants } from "@curtail/openadr-3";
import type { FoundObject, StoredObject, StoredObjectType } from "../domain/stored-object.js";
import type { OwnEvents } from "./dispatch-acts.js";
import type { CommonObjects, HeldObject, VenHoldings } from "./held-objects.js";
import type { ObjectQuery } from "./object-query.js";
import { renderObject } from "./render-object.js";

/** What a search in memory finds. */
export interface SightedList {
  readonly objects: readonly FoundObject[];
  readonly json: string;
  /** Of the JSON, in UTF-8. */
  readonly bytes: number;
  /** When time changes the list, or which events of the VEN are over; null: never. */
  readonly until: Date | null;
  readonly own: OwnEvents;
}

/** Filters that are answered from memory; any other is left to the database. */
const FILTERS = {
  PROGRAM: ["skip", "limit", "targets"],
  EVENT: ["skip", "limit", "targets", "programID", "active"],
  VEN: ["skip", "limit"],
} as const satisfies Partial<Record<StoredObjectType, ReadonlyArray<keyof ObjectQuery>>>;

/** What a VEN sees of the objects in memory; rules and order are those of the statements in `storage/object-store.ts`. */
export class VenSight {
  constructor(
    private readonly clientId: string,
    private readonly common: CommonObjects,
    private readonly holdings: VenHoldings,
  ) {}

  get grants(): VenGrants {
    return grantsOf(this.common, this.holdings);
  }

  /** Whether a list that was made of another sight is the same. */
  isOf(holdings: VenHoldings, version: number): boolean {
    return this.holdings === holdings && this.common.version === version;
  }

  get basis(): readonly [VenHoldings, number] {
    return [this.holdings, this.common.version];
  }

  get resources(): readonly StoredObject[] {
    return this.holdings.resources.map(({ object }) => object);
  }

  /** A program, event or ven; null: there is none that the VEN may read. */
  find(type: "PROGRAM" | "EVENT" | "VEN", id: string): FoundObject | null {
    const { ven, events } = this.holdings;
    if (type === "VEN")
      return id === ven.object.id && ven.object.clientId === this.clientId ? this.found(ven.object) : null;
    const own = type === "EVENT" ? events.find(({ object }) => object.id === id)?.object : undefined;
    const object = own ?? this.common.get(id);
    if (object === null || object.objectType !== type) return null;
    const found = this.found(object);
    return isVisible({ targets: found.audience, venId: found.venId }, this.grants) ? found : null;
  }

  /** null: to be searched in the database. */
  search(type: StoredObjectType, query: ObjectQuery, now: Date): SightedList | null {
    if (type !== "PROGRAM" && type !== "EVENT" && type !== "VEN") return null;
    const filters = FILTERS[type];
    if (!asked(query).every((name) => (filters as readonly string[]).includes(name))) return null;
    const { skip = 0, limit = MAX_PAGE } = query;
    if (type === "VEN") {
      const held = this.holdings.ven.object.clientId === this.clientId ? [this.holdings.ven] : [];
      return this.listed(held.slice(skip, skip + limit), null, now);
    }
    const matched = matchedTargets(this.grants, query.targets) ?? [];
    const isFound = this.matching(query, new Set(matched), now);
    const held: HeldObject[] = [];
    for (const each of this.inOrder(type)) {
      if (held.length >= skip + limit) break;
      if (isFound(each.object)) held.push(each);
    }
    const until = type === "EVENT" ? this.untilOf(query.active === true ? held : [], now) : null;
    return { ...this.listed(held.slice(skip), matched, now), until };
  }

  private matching(query: ObjectQuery, matched: ReadonlySet<string>, now: Date): (object: StoredObject) => boolean {
    const { venId } = this.grants;
    return (object) => {
      if (object.venId !== null && object.venId !== venId) return false;
      if (query.programID !== undefined && object.programId !== query.programID) return false;
      if (query.active === true && object.transpiresAt !== null && object.transpiresAt <= now) return false;
      const audience = this.common.audienceOf(object);
      return audience.length === 0 ? query.targets === undefined : audience.some((target) => matched.has(target));
    };
  }

  private *inOrder(type: "PROGRAM" | "EVENT"): Generator<HeldObject> {
    const [all, own] = type === "EVENT" ? [this.common.events, this.holdings.events] : [this.common.programs, []];
    let next = 0;
    for (const each of all) {
      for (let mine = own[next]; mine !== undefined && mine.seq < each.seq; mine = own[++next]) yield mine;
      yield each;
    }
    yield* own.slice(next);
  }

  /** Time also ends events that a list of active ones leaves out. */
  private untilOf(listed: readonly HeldObject[], now: Date): Date | null {
    let until: Date | null = null;
    for (const { object } of [...listed, ...this.holdings.events]) {
      const { transpiresAt } = object;
      if (transpiresAt !== null && transpiresAt > now && (until === null || transpiresAt < until)) until = transpiresAt;
    }
    return until;
  }

  private listed(held: readonly HeldObject[], matched: readonly string[] | null, now: Date): SightedList {
    const json = `[${held.map((each) => jsonOf(each, matched)).join(",")}]`;
    const objects = held.map(({ object }) => this.found(object));
    return { objects, json, bytes: Buffer.byteLength(json), until: null, own: this.ownIn(held, now) };
  }

  private ownIn(held: readonly HeldObject[], now: Date): OwnEvents {
    const listed = held.filter(({ object }) => object.venId !== null).map(({ object }) => object.id);
    const ended = this.holdings.events.filter(
      ({ object: { transpiresAt } }) => transpiresAt !== null && transpiresAt <= now,
    );
    return { of: this.holdings, mark: `${ended.length} ${listed.join(" ")}` };
  }

  private found(object: StoredObject): FoundObject {
    return { ...object, audience: this.common.audienceOf(object) };
  }
}

const asked = (query: ObjectQuery): string[] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]));

interface Granted {
  readonly common: CommonObjects;
  readonly version: number;
  readonly grants: VenGrants;
}

const granted = new WeakMap<VenHoldings, Granted>();

/** As in `GRANTED` of `storage/object-row.ts`. */
const grantsOf = (common: CommonObjects, holdings: VenHoldings): VenGrants => {
  const known = granted.get(holdings);
  if (known?.common === common && known.version === common.version) return known.grants;
  const grants = { venId: holdings.ven.object.id, targets: targetsOf(common, holdings) };
  granted.set(holdings, { common, version: common.version, grants });
  return grants;
};

const targetsOf = (common: CommonObjects, { ven, accountId, programIds, resources, events }: VenHoldings): string[] => {
  const held = new Set(accountId === null ? [] : [accountId]);
  for (const { object } of [ven, ...resources]) {
    for (const target of object.targets) held.add(target);
    if (object.source?.kind === "site") held.add(object.source.id);
  }
  const ofDispatches = events.flatMap(({ object: { programId } }) => {
    const source = programId === null ? null : (common.get(programId)?.source ?? null);
    return source?.kind === "program" ? [source.id] : [];
  });
  return [...new Set([...held, ...programIds, ...ofDispatches, ...ownPrograms(common, events, held)])];
};

/** Programs of the operator that the VEN sees because it sees one of their events. */
const ownPrograms = (
  common: CommonObjects,
  own: readonly HeldObject[],
  held: ReadonlySet<string>,
): readonly string[] => {
  const closed = common.programs.filter(
    ({ object: { id, source, targets } }) => source === null && targets.includes(id),
  );
  if (closed.length === 0) return [];
  const seen = new Set<string | null>();
  for (const { object } of [...common.events, ...own])
    if (object.source === null && object.targets.some((target) => held.has(target))) seen.add(object.programId);
  return closed.map(({ object }) => object.id).filter((id) => seen.has(id));
};

interface Written {
  readonly targets: string;
  readonly json: string;
}

/** JSON of each object with the targets that were shown last: mostly VENs are shown the same. */
const written = new WeakMap<HeldObject, Written>();

/** @param matched the targets that the VEN may learn; null: all */
const jsonOf = (held: HeldObject, matched: readonly string[] | null): string => {
  const { object } = held;
  const shown =
    matched === null || object.targets.length === 0 ? object.targets : shownTargets(object.targets, matched);
  const targets = shown.join("\n");
  const known = written.get(held);
  if (known?.targets === targets) return known.json;
  const json = JSON.stringify(renderObject(object, shown));
  written.set(held, { targets, json });
  return json;
};
