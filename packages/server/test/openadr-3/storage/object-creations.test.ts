import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredObject } from "../../../src/openadr-3/domain/stored-object.js";
import type { Creation } from "../../../src/openadr-3/operations/object-ports.js";
import { recordCreation } from "../../../src/openadr-3/operations/record-object.js";
import { clientVolume } from "../../../src/openadr-3/storage/client-volume.js";
import { objectChangeStore } from "../../../src/openadr-3/storage/object-change-store.js";
import { objectCreations } from "../../../src/openadr-3/storage/object-creations.js";
import { objectStore } from "../../../src/openadr-3/storage/object-store.js";
import { isRefusal } from "../../../src/platform/refusal.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";
import { storedObject } from "../../support/stored-objects.js";

const createdAt = new Date("2026-07-01T18:00:00.123Z");

let database: TestDatabase;

beforeEach(async () => {
  database = await cloneDatabase();
  const objects = objectStore(database.pool, testSecretBox);
  await objects.insert(storedObject("program", { createdAt, targets: ["north", "south"] }));
  await objects.insert(storedObject("sandbox", { createdAt, environment: "sandbox" }));
});
afterEach(() => database.drop());

const event = (id: string, of: Partial<StoredObject> = {}): StoredObject =>
  storedObject(id, {
    createdAt,
    objectType: "EVENT",
    programId: "program",
    transpiresAt: new Date("2026-07-02T00:00:00Z"),
    body: { programID: "program", intervals: [{ id: 0, payloads: [{ type: "PRICE", values: [1.5, 'ä"\\'] }] }] },
    ...of,
  });
const report = (id: string, of: Partial<StoredObject> = {}): StoredObject =>
  storedObject(id, {
    createdAt,
    objectType: "REPORT",
    clientId: "oac_1",
    eventId: "event",
    body: { eventID: "event", clientName: "gateway", resources: [] },
    ...of,
  });

const creation = (object: StoredObject, writtenBy = "oac_1"): Creation => ({
  object,
  bodyJson: JSON.stringify(object.body),
  writtenBy,
});

const create = (...creations: Creation[]) => objectCreations(database.servicePool).create(creations);

const rowsOf = async (table: string, id: string, column = "id") => {
  const { rows } = await database.pool.query(`select * from ${table} where ${column} = $1`, [id]);
  const [{ seq: _seq, xid: _xid, id: _id, object_id: _object, ...row }] = rows;
  // The change names its object.
  return JSON.parse(JSON.stringify(row).replaceAll(id, "ID"));
};

const orderOfReports = async (table: string, id: string) =>
  (await database.pool.query(`select ${id} as id from ${table} where object_type = 'REPORT' order by seq`)).rows;

const entries = async (): Promise<number> =>
  (await database.pool.query("select kind from journal where kind like 'openadr3.%'")).rows.length;

describe("events and reports that are created together", () => {
  test.each([
    ["an event for everybody of its program", event("one"), event("two")],
    [
      "an event with targets",
      event("one", { targets: ["a"], body: { programID: "program", targets: ["a"] } }),
      event("two", { targets: ["a"], body: { programID: "program", targets: ["a"] } }),
    ],
  ])("are stored as one by one, with the same change: %s", async (_what, one, two) => {
    const { pool: db } = database;
    const stores = { openadr3Objects: objectStore(db, testSecretBox), openadr3Changes: objectChangeStore(db) };
    const alone = await recordCreation(stores, one, "oac_1");
    const [together] = await create(creation(two));
    if (isRefusal(alone)) throw new Error(alone.message);
    expect({ ...together?.object, id: "", name: "" }).toEqual({ ...alone, id: "", name: "" });
    expect(await rowsOf("openadr3_objects", "two")).toEqual(await rowsOf("openadr3_objects", "one"));
    expect(await rowsOf("openadr3_changes", "two", "object_id")).toEqual(
      await rowsOf("openadr3_changes", "one", "object_id"),
    );
  });

  test("are in their order, in lists and for subscribers", async () => {
    await create(creation(event("event")));
    await create(...["c", "a", "b"].map((id) => creation(report(id))));
    expect(await orderOfReports("openadr3_objects", "id")).toEqual([{ id: "c" }, { id: "a" }, { id: "b" }]);
    expect(await orderOfReports("openadr3_changes", "object_id")).toEqual([{ id: "c" }, { id: "a" }, { id: "b" }]);
  });

  test("are null where what they refer to is missing, of another type or of another environment; the others are stored", async () => {
    await create(creation(event("event")));
    const made = await create(
      creation(event("missing", { programId: "none" })),
      creation(event("foreign", { programId: "sandbox" })),
      creation(event("good")),
      creation(report("typed", { eventId: "program" })),
      creation(report("fine")),
    );
    expect(made.map((each) => each?.object.id ?? null)).toEqual([null, null, "good", null, "fine"]);
    const { rows } = await database.pool.query("select id from openadr3_objects where object_type <> 'PROGRAM'");
    expect(rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(["event", "fine", "good"]);
  });

  test("add to what their clients have, as each alone would", async () => {
    await create(creation(event("event"), "oac_bl"));
    const bytes = Buffer.byteLength(JSON.stringify(report("a").body));
    const made = await create(
      creation(report("a")),
      creation(report("b")),
      creation(report("c", { clientId: "oac_2" }), "oac_2"),
    );
    expect(made.map((each) => each?.reportBytes)).toEqual([2 * bytes, 2 * bytes, bytes]);
    expect(made.map((each) => each?.changeBytes)).toEqual([2 * bytes, 2 * bytes, bytes]);
    expect(await clientVolume(database.servicePool).addReport("oac_1", 0)).toBe(2 * bytes);
  });

  test("are announced by one entry of the journal, reports by none", async () => {
    await create(creation(event("event")), creation(event("other")));
    expect(await entries()).toBe(1);
    await create(creation(report("a")), creation(report("b")));
    expect(await entries()).toBe(1);
  });
});
