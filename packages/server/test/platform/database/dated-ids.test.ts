import { afterAll, beforeAll, expect, test } from "vitest";
import { datedIdStore } from "../../../src/platform/database/dated-id-store.js";
import { DatedIds } from "../../../src/platform/dated-ids.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

const site = (n: number) => ({ kind: "site", id: `site_${n}` });
const sites = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => site(from + index));

test("numbers are given once, whoever asks first, in whatever order, and a full memory changes none", async () => {
  const processes = [5, 40, 1000].map((most) => new DatedIds(datedIdStore(database.servicePool), most));
  const asked = await Promise.all(
    processes.flatMap((ids, index) => [
      ids.numbersOf(sites(0, 60)),
      ids.numbersOf(sites(30, 90).toReversed()),
      ids.numbersOf([site(index), site(index), { kind: "meter", id: "mtr_1" }]),
    ]),
  );
  const known = new Map(asked.flatMap((each) => [...each]));
  for (const each of asked) for (const [id, number] of each) expect(known.get(id)).toBe(number);
  expect(new Set(known.values()).size).toBe(known.size);
  for (const ids of processes) {
    const entities = await ids.entitiesOf([...known.values(), 2_147_483_647]);
    expect(new Map([...entities].map(([number, { id }]) => [id, number]))).toEqual(known);
    expect(entities.get(known.get("mtr_1") ?? 0)).toMatchObject({ kind: "meter", id: "mtr_1" });
  }
});

test("what is only mentioned gets none", async () => {
  const ids = new DatedIds(datedIdStore(database.servicePool));
  expect(await ids.knownNumbersOf(["site_never_shown"])).toEqual(new Map());
  expect(await ids.entitiesOf([2_000_000_000])).toEqual(new Map());
  const { rows } = await database.pool.query("select from dated_ids where id = 'site_never_shown'");
  expect(rows).toEqual([]);
});

test("one statement numbers all of an answer, and none is needed again", async () => {
  const store = datedIdStore(database.servicePool);
  let statements = 0;
  const counted = new DatedIds({
    ...store,
    number: (entities) => {
      statements += 1;
      return store.number(entities);
    },
  });
  await counted.numbersOf(sites(1000, 6000));
  await counted.numbersOf(sites(1000, 6000));
  expect(statements).toBe(1);
});
