import { describe, expect, test } from "vitest";
import type { HeldObject, HeldSource, VenHoldings } from "../../../src/openadr-3/operations/held-objects.js";
import { ObjectMemory } from "../../../src/openadr-3/operations/object-memory.js";
import type { JournalEntry } from "../../../src/platform/journal.js";
import { storedObject } from "../../support/stored-objects.js";

const createdAt = new Date(0);
const held = (id: string, bytes = 100): HeldObject => ({ object: storedObject(id, { createdAt }), seq: 1, bytes });
const holdings = (clientId: string, bytes: number): VenHoldings => ({
  ven: { object: storedObject(`ven of ${clientId}`, { createdAt, objectType: "VEN", clientId }), seq: 1, bytes },
  accountId: `account of ${clientId}`,
  programIds: [],
  resources: [],
  events: [],
});
const entry = (kind: string, of: Partial<JournalEntry> = {}): JournalEntry => ({
  seq: 1,
  environment: "production",
  at: createdAt,
  kind,
  subject: "",
  ref: null,
  accounts: null,
  ...of,
});

/** A memory, and what it reads. */
const memoryOf = (source: Partial<HeldSource> = {}, mostBytes?: number) => {
  const reads: string[] = [];
  const memory = new ObjectMemory(
    {
      async common() {
        reads.push("common");
        return source.common === undefined ? [held("program")] : source.common();
      },
      async changed(seqs) {
        reads.push(`changed ${seqs.join(" ")}`);
        return source.changed === undefined ? [] : source.changed(seqs);
      },
      async ofClients(clientIds) {
        reads.push(`vens ${clientIds.join(" ")}`);
        return source.ofClients?.(clientIds) ?? clientIds.map((id) => holdings(id, 100));
      },
    },
    mostBytes,
  );
  const see = (id: string) => memory.sightOf({ id, environment: "production" });
  const readsOf = async (...ids: string[]) => {
    reads.length = 0;
    for (const id of ids) await see(id);
    return [...reads];
  };
  return { memory, see, readsOf };
};

describe("objects in memory", () => {
  test("are read once, and again as far as an entry names them", async () => {
    const { memory, readsOf } = memoryOf();
    expect(await readsOf("a", "a", "b")).toEqual(["common", "vens a", "vens b"]);
    memory.take([entry("openadr3.objects", { ref: 7 }), entry("openadr3.objects", { ref: 8 })]);
    expect(await readsOf("a", "b")).toEqual(["changed 7 8"]);
    memory.take([entry("program.enrol", { accounts: ["account of a"] })]);
    expect(await readsOf("a", "b")).toEqual(["vens a"]);
    memory.take([entry("site.change")]);
    expect(await readsOf("a", "b")).toEqual(["vens a", "vens b"]);
    memory.take([entry("dispatch.create"), entry("program.create")]);
    expect(await readsOf("a", "b")).toEqual([]);
  });

  test("of a ven are read again after a change of it, of what it has, and of what it lost", async () => {
    const change = { environment: "production", held: null } as const;
    const { memory, readsOf } = memoryOf({
      changed: async () => [
        { ...change, id: "ven of a", objectType: "VEN", venId: null },
        { ...change, id: "event", objectType: "EVENT", venId: "ven of b" },
      ],
    });
    await readsOf("a", "b", "c", "d");
    memory.take([entry("openadr3.objects", { ref: 1 }), entry("openadr3.objects", { ref: 1, subject: "ven of c" })]);
    expect(await readsOf("a", "b", "c", "d")).toEqual(["changed 1", "vens a", "vens b", "vens c"]);
  });

  test("are all read again after a prune, after a lost connection, and if nobody knows what changed", async () => {
    const { memory, readsOf } = memoryOf({ changed: async () => null });
    const all = ["common", "vens a"];
    expect(await readsOf("a")).toEqual(all);
    memory.take([entry("openadr3.prune")]);
    expect(await readsOf("a")).toEqual(all);
    memory.reset();
    expect(await readsOf("a")).toEqual(all);
    memory.take([entry("openadr3.objects", { ref: 1 })]);
    expect(await readsOf("a")).toEqual(["changed 1", ...all]);
    memory.take([entry("openadr3.objects")]);
    expect(await readsOf("a")).toEqual(all);
  });

  test("that were changed while they were read are read again by the next question", async () => {
    let during: (() => void) | null = null;
    const { memory, readsOf } = memoryOf({
      ofClients: async (ids) => {
        during?.();
        return ids.map((id) => holdings(id, 100));
      },
    });
    during = () => memory.take([entry("program.enrol", { accounts: ["account of a"] })]);
    await readsOf("a");
    during = null;
    expect(await readsOf("a", "a")).toEqual(["vens a"]);
  });

  test("are not held where they are too many, and are left to the database", async () => {
    const { memory, see, readsOf } = memoryOf({ common: async () => null });
    expect(await see("a")).toBeNull();
    expect(await readsOf("a")).toEqual([]);
    for (let ref = 0; ref <= 1000; ref++) memory.take([entry("openadr3.objects", { ref })]);
    expect(await readsOf("a")).toEqual(["common"]);
  });

  test("of VENs take no more bytes than they may: those read longest ago are forgotten", async () => {
    const { readsOf } = memoryOf({ ofClients: async (ids) => ids.map((id) => holdings(id, 400)) }, 1300);
    await readsOf("a", "b", "c");
    expect(await readsOf("b", "c")).toEqual([]);
    expect(await readsOf("a")).toEqual(["vens a"]);
  });

  test("are answered by nobody while they cannot be read, and again afterwards", async () => {
    let isAway = true;
    const { see } = memoryOf({
      common: async () => {
        if (isAway) throw new Error("away");
        return [];
      },
    });
    await expect(see("a")).rejects.toThrow("away");
    isAway = false;
    expect(await see("a")).not.toBeNull();
  });
});
