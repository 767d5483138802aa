import { isDeepStrictEqual } from "node:util";
import { untilLate } from "@curtail/testing/property-runs";
import { swallowingEntries } from "@curtail/testing/swallowed-entries";
import fc from "fast-check";
import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { StoredObjectType } from "../../src/openadr-3/domain/stored-object.js";
import type { Openadr3Caller } from "../../src/openadr-3/operations/caller.js";
import type { ObjectQuery } from "../../src/openadr-3/operations/object-query.js";
import { searchStored } from "../../src/openadr-3/operations/read-objects.js";
import { objectStore } from "../../src/openadr-3/storage/object-store.js";
import { newProgram } from "../support/dispatching.js";
import { type Client31, clientOf, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";
import type { Participant } from "../support/running.js";
import { testSecretBox } from "../support/secret-box.js";

let vtn: Vtn;
/** Business logic, at each of two processes. */
let bls: Client31[];
/** VENs with their vens, at each of two processes. */
let vens: Array<{
  readonly at: readonly Client31[];
  readonly caller: Openadr3Caller;
  readonly venId: string;
  readonly participant: Participant;
}>;

const NAMES = ["north", "south", "east"];
let count = 0;

beforeAll(async () => {
  vtn = await runningVtn({ CURTAIL_RATE_LIMIT: "1000000" });
  await vtn.second();
  const urls = [vtn.vtnUrl, await vtn.listenToOpenadr3()];
  const at = ({ token }: Client31): Client31[] => urls.map((url) => clientOf(url, token));
  bls = at(await vtn.bl());
  vens = [];
  for (const targets of [["north"], ["south", "east"], []]) {
    const participant = await vtn.newParticipant();
    const ven = await vtn.ven({ participant, targets });
    const [{ id: venId }] = (await ven.vens.search()).body;
    vens.push({ at: at(ven), caller: callerOf(ven), venId, participant });
  }
});

const callerOf = ({ id }: Secret31) =>
  ({ client: { id, environment: "production", role: "ven" }, scopes: [] }) as unknown as Openadr3Caller;

const kinds = { events: "EVENT", programs: "PROGRAM", vens: "VEN" } as const satisfies Record<string, StoredObjectType>;
type Kind = keyof typeof kinds;

/** What the database has for a VEN. */
const storedFor = (caller: Openadr3Caller, kind: Kind, query: ObjectQuery) =>
  searchStored(
    {
      stores: { openadr3Objects: objectStore(vtn.database.servicePool, testSecretBox) },
      clock: vtn.clock,
      noteShown: async () => {},
    },
    caller,
    kinds[kind],
    query,
  );

/** Searches of programs, events and vens that the database was asked during the work. */
const searchesDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = sent.mock.calls.map(([given]: unknown[]) => String((given as { text?: string }).text ?? given));
  sent.mockRestore();
  return texts.filter((text) => text.includes("offset $14 limit $15")).length;
};

const ids = async (kind: "programs" | "events", bl: Client31): Promise<string[]> =>
  (await bl[kind].search()).body.map(({ id }: { readonly id: string }) => id);

const interval = (at: number) => ({ start: new Date(at).toISOString(), duration: "PT1M" });

const grant = (bl: Client31, { venId, caller }: (typeof vens)[number], targets: object) =>
  bl.vens.update(venId, {
    objectType: "BL_VEN_REQUEST",
    clientID: caller.client.id,
    venName: venId,
    ...targets,
  });

/** A change by business logic, to one of what there is. */
const changes = {
  "create a program": (bl, targets) => bl.programs.create({ programName: `Program ${++count}`, ...targets }),
  "create an event": async (bl, targets, pick) =>
    bl.events.create({
      programID: pick(await ids("programs", bl)),
      intervalPeriod: interval(vtn.clock.now().getTime() + (++count % 3) * 60_000),
      ...targets,
    }),
  "change a program": async (bl, targets, pick) =>
    bl.programs.update(pick(await ids("programs", bl)), { programName: `Program ${++count}`, ...targets }),
  "change an event": async (bl, targets, pick) => {
    const { id, programID } = pick((await bl.events.search()).body as Array<{ id: string; programID: string }>) ?? {};
    return id === undefined ? null : bl.events.update(id, { programID, eventName: `Event ${++count}`, ...targets });
  },
  "delete a program": async (bl, _targets, pick) => bl.programs.remove(pick(await ids("programs", bl))),
  "delete an event": async (bl, _targets, pick) => bl.events.remove(pick(await ids("events", bl))),
  "grant targets": (bl, targets, pick) => grant(bl, pick(vens), targets),
  "create a resource": (bl, targets, pick) => {
    const { venId, caller } = pick(vens);
    const resource = { objectType: "BL_RESOURCE_REQUEST", clientID: caller.client.id, venID: venId, ...targets };
    return bl.resources.create({ ...resource, resourceName: `Meter ${++count}` });
  },
  "move a resource": async (bl, targets, pick) => {
    const own = (await bl.resources.search()).body.filter((each: { resourceName: string }) =>
      each.resourceName.startsWith("Meter"),
    );
    const { venId, caller } = pick(vens);
    const resource = { objectType: "BL_RESOURCE_REQUEST", clientID: caller.client.id, venID: venId, ...targets };
    return own.length === 0
      ? null
      : bl.resources.update(pick(own as Array<{ id: string }>).id, { ...resource, resourceName: `Meter ${++count}` });
  },
  "enrol a site": (_bl, _targets, pick) => newProgram(vtn, [pick(vens).participant], { name: `Enrolled ${++count}` }),
  "let time pass": async () => vtn.clock.advance({ minutes: 1 }),
} as const satisfies Record<
  string,
  (bl: Client31, targets: { targets?: string[] }, pick: <T>(from: readonly T[]) => T) => unknown
>;

const query = fc.record(
  {
    skip: fc.nat(3),
    limit: fc.integer({ min: 1, max: 5 }),
    targets: fc.uniqueArray(fc.constantFrom(...NAMES, "acc"), { minLength: 1 }),
    active: fc.boolean(),
  },
  { requiredKeys: [] },
);

const step = fc.record({
  what: fc.constantFrom(...(Object.keys(changes) as Array<keyof typeof changes>)),
  by: fc.nat(1),
  nth: fc.nat(100),
  targets: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
});

const withTargets = (targets: string[]) => (targets.length === 0 ? {} : { targets });

/** Compares the answers of both processes to each VEN with what the database has. */
const compare = async (kind: Kind, given: ObjectQuery): Promise<void> => {
  const { active: _active, ...others } = given;
  const asked = kind === "events" ? given : kind === "programs" ? others : withoutTargets(others);
  for (const { at, caller } of vens) {
    const stored = async () => JSON.parse(JSON.stringify(await storedFor(caller, kind, asked)));
    for (const client of at) {
      // Objects follow the programs of the service in the background.
      for (let [before, answer, after] = [null, null, await stored()]; ; ) {
        [before, answer, after] = [after, (await client[kind].search({ ...asked })).body, await stored()];
        if (!isDeepStrictEqual(before, after)) continue;
        expect(answer).toEqual(after);
        break;
      }
    }
  }
};

const withoutTargets = ({ targets: _targets, ...query }: ObjectQuery): ObjectQuery => query;

const pollAll = async (): Promise<void> => {
  for (const { at } of vens)
    for (const client of at) {
      await client.events.search();
      await client.events.search({ active: true, targets: ["north"] });
      await client.programs.search();
      await client.vens.search();
    }
};

describe("answers to VENs", () => {
  test("from memory are those of the database after any changes, for any filters, at two processes", async () => {
    const cases = fc.array(fc.tuple(step, query), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cases, async (steps) => {
        for (const [{ what, by, nth, targets }, given] of steps) {
          const pick = <T>(from: readonly T[]): T => from[nth % Math.max(from.length, 1)] as T;
          await changes[what](bls[by] as Client31, withTargets(targets), pick);
          for (const kind of ["events", "programs", "vens"] as const) await compare(kind, given);
        }
      }),
      { numRuns: 6, plugins: [untilLate(20_000)] },
    );
  });

  test("are from memory: nothing is searched in the database", async () => {
    await bls[0]?.programs.made({ programName: `Program ${++count}` });
    expect(await searchesDuring(pollAll)).toBe(0);
    // The control: business logic sees everything, which is not held.
    expect(await searchesDuring(async () => bls[0]?.events.search())).toBe(1);
  });

  test("are by id those of the list, and no others", async () => {
    const programs = await ids("programs", bls[0] as Client31);
    for (const { at } of vens) {
      const [client] = at as [Client31];
      const seen = new Map((await client.programs.search()).body.map((each: { id: string }) => [each.id, each]));
      for (const id of programs) {
        const one = await client.programs.get(id);
        expect(seen.has(id) ? one.body : one.status).toEqual(seen.get(id) ?? 404);
      }
    }
  });
});

/** Changes an event through both processes while both are polled; polls that showed less than what was changed before they were sent. */
const race = async (polls: number): Promise<number> => {
  const bl = bls[0] as Client31;
  const { id: programID } = await bl.programs.made({ programName: `Program ${++count}`, targets: ["race"] });
  const { id } = await bl.events.made({ programID, targets: ["north"], priority: 0 });
  const [ven] = vens as [(typeof vens)[number]];
  // Another test may have taken it.
  await grant(bl, ven, { targets: ["north"] });
  const counts = { changed: 0, sent: 0, stale: 0 };
  // On a busy machine changes are few.
  const isOver = (): boolean => counts.sent >= polls && counts.changed > polls / 50;
  const change = async (): Promise<void> => {
    while (!isOver()) {
      const priority = counts.changed + 1;
      await bls[priority % 2]?.events.update(id, { programID, targets: ["north"], priority });
      counts.changed = priority;
    }
  };
  const poll = async (client: Client31): Promise<void> => {
    while (!isOver()) {
      const known = counts.changed;
      counts.sent += 1;
      const shown = (await client.events.search({ programID })).body as Array<{ id: string; priority: number }>;
      if ((shown.find((each) => each.id === id)?.priority ?? -1) < known) counts.stale += 1;
    }
  };
  await Promise.all([change(), ...ven.at.flatMap((client) => [poll(client), poll(client)])]);
  return counts.stale;
};

const runText = async (text: string): Promise<void> => void (await vtn.database.pool.query(text));

describe("polls of two processes while an event is changed through both", () => {
  test("never show less than what was changed before they were sent", async () => {
    expect(await race(600)).toBe(0);
  });

  test("do show less if the journal swallows entries: the race finds what it looks for", async () => {
    expect(await swallowingEntries({ run: runText }, () => race(300))).toBeGreaterThan(0);
  });
});
