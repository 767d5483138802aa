import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;
let programID: string;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  ven = await vtn.ven();
  programID = (await bl.programs.made({ programName: "Program1" })).id;
});

const interval = (id: number, value: number) => ({ id, payloads: [{ type: "PRICE", values: [value] }] });
const event = (more: object = {}) => ({
  programID,
  intervalPeriod: { start: vtn.clock.now().toISOString() },
  intervals: [interval(0, 1.5)],
  ...more,
});
const UNKNOWN = "nonexistent-id-12345";

describe("events", () => {
  test("are created by business logic, and not by a VEN", async () => {
    expect((await bl.events.made(event())).id).toEqual(expect.any(String));
    expect(await ven.events.create(event())).toMatchObject({ status: 403 });
  });

  test("of a program that does not exist are refused", async () => {
    expect(await bl.events.create(event({ programID: "nonexistent-program-id" }))).toMatchObject({ status: 400 });
  });

  test("are listed for business logic and for VENs", async () => {
    await bl.events.made(event());
    expect((await bl.events.search()).body.length).toBeGreaterThanOrEqual(1);
    expect(await ven.events.search()).toMatchObject({ status: 200 });
  });

  test("are read by id, by business logic and by VENs", async () => {
    const { id } = await bl.events.made(event());
    expect(await bl.events.get(id)).toMatchObject({ status: 200, body: { id } });
    expect(await ven.events.get(id)).toMatchObject({ status: 200, body: { id } });
  });

  test("are found by their program", async () => {
    const other = (await bl.programs.made({ programName: "Another" })).id;
    const { id } = await bl.events.made(event({ programID: other }));
    expect((await bl.events.search({ programID: other })).body).toMatchObject([{ id }]);
  });

  test("are updated by business logic, and not by a VEN", async () => {
    const { id } = await bl.events.made(event());
    const changed = event({ eventName: "updated-event", intervals: [interval(0, 2)] });
    expect(await bl.events.update(id, changed)).toMatchObject({ status: 200, body: { eventName: "updated-event" } });
    expect(await ven.events.update(id, changed)).toMatchObject({ status: 403 });
  });

  test("are deleted by business logic, and not by a VEN", async () => {
    const { id } = await bl.events.made(event());
    expect(await ven.events.remove(id)).toMatchObject({ status: 403 });
    expect(await bl.events.remove(id)).toMatchObject({ status: 200 });
  });

  test("are closed to a token that is none", async () => {
    const { id } = await bl.events.made(event());
    expect(await vtn.bad.events.create(event())).toMatchObject({ status: 403 });
    expect(await vtn.bad.events.search()).toMatchObject({ status: 403 });
    expect(await vtn.bad.events.get(id)).toMatchObject({ status: 403 });
    expect(await vtn.bad.events.update(id, { programID, intervals: [] })).toMatchObject({ status: 403 });
    expect(await vtn.bad.events.remove(id)).toMatchObject({ status: 403 });
  });

  test("with an id that nobody has are not found", async () => {
    expect(await bl.events.get(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.events.remove(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.events.update(UNKNOWN, { programID, intervals: [] })).toMatchObject({ status: 404 });
  });

  test("keep the prices of their intervals", async () => {
    const intervals = [interval(0, 0.15), interval(1, 0.25)];
    const { id } = await bl.events.made(event({ intervals }));
    expect((await bl.events.get(id)).body.intervals).toEqual(intervals);
  });

  test("are listed a page at a time", async () => {
    for (const value of [1, 2, 3]) await bl.events.made(event({ intervals: [interval(0, value)] }));
    const all = (await bl.events.search()).body.length;
    expect((await bl.events.search({ limit: 1 })).body).toHaveLength(1);
    expect((await bl.events.search({ skip: 1 })).body).toHaveLength(all - 1);
    expect((await bl.events.search({ skip: 1, limit: 1 })).body).toHaveLength(1);
    expect((await bl.events.search({ skip: 1000 })).body).toEqual([]);
  });
});
