import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredObject } from "../../../src/openadr-3/domain/stored-object.js";
import type { ObjectSearch } from "../../../src/openadr-3/operations/object-ports.js";
import { objectStore } from "../../../src/openadr-3/storage/object-store.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";
import { storedObject } from "../../support/stored-objects.js";

const at = new Date("2026-07-01T18:00:00Z");

let database: TestDatabase;

beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database.drop());

const store = () => objectStore(database.pool, testSecretBox);

const object = (id: string, of: Partial<StoredObject>) => storedObject(id, { createdAt: at, ...of });
const event = (id: string, of: Partial<StoredObject> = {}) =>
  object(id, { objectType: "EVENT", programId: "program", ...of });

const search = async (of: Partial<ObjectSearch>): Promise<string[]> => {
  const everything: ObjectSearch = {
    environment: "production",
    objectType: "EVENT",
    targets: null,
    withUntargeted: true,
    skip: 0,
    limit: 50,
  };
  return (await store().search({ ...everything, ...of })).map(({ id }) => id);
};

describe("objects of OpenADR 3", () => {
  test("are returned as they were stored, with bearer tokens sealed in the database", async () => {
    const stored = object("sub", {
      objectType: "SUBSCRIPTION",
      clientId: "oac_1",
      body: { objectOperations: [{ objects: ["EVENT"] }] },
      bearerTokens: ["secret", null],
    });
    await store().insert(stored);
    expect(await store().find("production", "SUBSCRIPTION", "sub")).toEqual({ ...stored, audience: [] });
    const { rows } = await database.pool.query("select bearer_tokens from openadr3_objects");
    expect(rows[0].bearer_tokens).not.toContain("secret");
  });

  test("are found in their environment only", async () => {
    await store().insert(object("program", {}));
    expect(await store().find("sandbox", "PROGRAM", "program")).toBeNull();
    expect(await search({ environment: "sandbox", objectType: "PROGRAM" })).toEqual([]);
    expect(await store().insert(object("other", { environment: "sandbox", name: "program" }))).toBe(true);
  });

  test("of a type that needs unique names are refused when the name is taken, also by an update", async () => {
    await store().insert(object("a", { name: "A" }));
    expect(await store().insert(object("b", { name: "A" }))).toBe(false);
    await store().insert(object("b", { name: "B" }));
    expect(await store().save(object("b", { name: "A" }))).toBe(false);
  });

  test("are searched in the order of creation, a page at a time", async () => {
    await store().insert(object("program", {}));
    for (const id of ["c", "a", "b"]) await store().insert(event(id));
    expect(await search({})).toEqual(["c", "a", "b"]);
    expect(await search({ skip: 1, limit: 1 })).toEqual(["a"]);
  });

  test("match by a common target; events without targets have those of their program", async () => {
    await store().insert(object("program", { targets: ["group"] }));
    await store().insert(object("open", {}));
    await store().insert(event("inherits"));
    await store().insert(event("own", { targets: ["other", "more"] }));
    await store().insert(event("untargeted", { programId: "open" }));
    expect(await search({ targets: ["group"], withUntargeted: false })).toEqual(["inherits"]);
    expect(await search({ targets: ["other"], withUntargeted: true })).toEqual(["own", "untargeted"]);
    expect(await search({ targets: [], withUntargeted: true })).toEqual(["untargeted"]);
  });

  test("for one ven are not found for another", async () => {
    await store().insert(object("program", {}));
    await store().insert(object("ven", { objectType: "VEN", clientId: "oac_1" }));
    await store().insert(event("private", { venId: "ven" }));
    expect(await search({ seenBy: { venId: "ven", targets: [] } })).toEqual(["private"]);
    expect(await search({ seenBy: { venId: "another", targets: [] } })).toEqual([]);
    expect(await search({ seenBy: { venId: null, targets: [] } })).toEqual([]);
  });

  test("that have ended are left out when only active ones are asked for", async () => {
    await store().insert(object("program", {}));
    await store().insert(event("over", { transpiresAt: at }));
    await store().insert(event("on", { transpiresAt: new Date(at.getTime() + 1) }));
    await store().insert(event("endless"));
    expect(await search({ activeAt: at })).toEqual(["on", "endless"]);
  });

  test("are searched by what they refer to, and subscriptions by their objects", async () => {
    await store().insert(object("program", {}));
    await store().insert(event("event"));
    await store().insert(object("report", { objectType: "REPORT", clientId: "oac_1", eventId: "event" }));
    await store().insert(
      object("sub", {
        objectType: "SUBSCRIPTION",
        clientId: "oac_1",
        programId: "program",
        body: { objectOperations: [{ objects: ["PROGRAM"] }, { objects: ["EVENT"] }] },
      }),
    );
    expect(await search({ objectType: "REPORT", programId: "program" })).toEqual(["report"]);
    expect(await search({ objectType: "REPORT", programId: "else" })).toEqual([]);
    expect(await search({ objectType: "SUBSCRIPTION", programId: "program", objects: ["EVENT"] })).toEqual(["sub"]);
    expect(await search({ objectType: "SUBSCRIPTION", objects: ["REPORT"] })).toEqual([]);
  });

  test("are deleted with everything that refers to them, the dependent ones first", async () => {
    await store().insert(object("program", {}));
    await store().insert(event("event"));
    await store().insert(object("report", { objectType: "REPORT", clientId: "oac_1", eventId: "event" }));
    await store().insert(object("kept", {}));
    expect((await store().remove(["program"])).map(({ id }) => id)).toEqual(["report", "event", "program"]);
    expect(await search({ objectType: "PROGRAM" })).toEqual(["kept"]);
  });

  test("grant a VEN the targets of its ven and of that ven's resources", async () => {
    await store().insert(object("ven", { objectType: "VEN", clientId: "oac_1", targets: ["b", "a"] }));
    await store().insert(object("other", { objectType: "VEN", clientId: "oac_2", targets: ["x"] }));
    const resource = { objectType: "RESOURCE", venId: "ven", targets: ["c", "a"] } as const;
    await store().insert(object("res", { ...resource, clientId: "oac_3" }));
    expect(await store().grantsOf("production", "oac_1")).toEqual({ venId: "ven", targets: ["a", "b", "c"] });
    expect(await store().grantsOf("sandbox", "oac_1")).toEqual({ venId: null, targets: [] });
  });
});
