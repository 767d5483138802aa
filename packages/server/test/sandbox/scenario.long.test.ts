import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { LAKESIDE, listed, newPlayer, scenarioOf, sites } from "../support/scenario.js";
import { minutes, pass, prepare, service, state, told } from "../support/scenarios.js";

beforeAll(prepare);

const setFormat = (id: string, format: string) =>
  service.database.pool.query(
    "update sandbox.scenario_steps set dispatch = dispatch - 'format' || $2::jsonb where scenario_id = $1",
    [id, format],
  );

describe("a scenario of another version of the service", () => {
  test("that was stored before formats had numbers goes on", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic", { notification_time: undefined });
    const before = await listed(player);
    await setFormat(id, "{}");
    expect(await listed(player)).toEqual(before);
  });

  test("that is newer is said to be so, and neither replaced nor deleted", async () => {
    const player = await newPlayer(service);
    const { id, dispatches } = await player.play("basic", { notification_time: undefined });
    await setFormat(id, '{"format": 2}');
    const scenario = scenarioOf(service, "basic", {});
    for (const [method, path, body] of [
      ["GET", "/dispatches"],
      ["GET", "/scenarios"],
      ["POST", "/scenarios", scenario],
      ["DELETE", `/scenarios/${id}`],
    ] as const)
      expectError(await player.call(method, path, body), 500, /stored by a newer version of the service; try again/);
    await setFormat(id, '{"format": 1}');
    expect((await listed(player)).map((dispatch) => dispatch.id)).toEqual([dispatches[0]?.id]);
  });
});

describe("a basic scenario", () => {
  test("stays listed for a day after its end", async () => {
    const player = await newPlayer(service);
    await player.play("basic", { notification_time: minutes(0) });
    pass({ minutes: 90 + 1440 });
    expect(await listed(player)).toHaveLength(1);
    pass({ seconds: 1 });
    expect(await listed(player)).toEqual([]);
  });

  test("calls sites of the sandbox by id or location, and makes up the others for it alone", async () => {
    const player = await newPlayer(service);
    const named = [{ id: "site_sandbox_harbour", commitment: 20 }, ...sites, { name: "Mine", commitment: null }];
    const first = await player.play("basic", { sites: named });
    const second = await player.play("basic", { sites: named });
    const sitesOf = ({ dispatches }: typeof first): Array<{ id: string; name: string }> =>
      (dispatches[0] as unknown as { sites: Array<{ id: string; name: string }> }).sites;
    expect(sitesOf(first).map(({ name }) => name)).toEqual(["Harbour Warehouse", "Lakeside Store", "Mine"]);
    expect(sitesOf(first)[1]?.id).toBe(LAKESIDE);
    expect(sitesOf(first)[2]?.id).toMatch(/^site_[0-9a-z]{16}$/);
    expect(sitesOf(second)[2]?.id).not.toBe(sitesOf(first)[2]?.id);
  });

  test("takes an id that is no fixed site's for the label of a made-up one, wherever that is said to be (G46)", async () => {
    const player = await newPlayer(service);
    const named = [{ id: "b-17", customer_location_id: "STORE-0012" }, { id: LAKESIDE }, { id: "a-4", name: "North" }];
    const { dispatches } = await player.play("basic", { sites: named });
    const { sites: made } = dispatches[0] as unknown as { sites: Array<{ id: string; name: string }> };
    expect(made.map(({ name }) => name)).toEqual(["b-17", "Lakeside Store", "North"]);
    expect(made[0]?.id).toMatch(/^site_[0-9a-z]{16}$/);
    expect(made[1]?.id).toBe(LAKESIDE);
  });
});

describe("ancillary services", () => {
  test("without an end ends ten minutes after its start", async () => {
    const player = await newPlayer(service);
    const end_time = minutes(40);
    await player.play("ancillary_services", { end_time: null });
    pass({ seconds: 40 * 60 - 1 });
    expect(await listed(player)).toMatchObject([{ end_time: null }]);
    pass({ seconds: 1 });
    expect(await listed(player)).toMatchObject([{ end_time }]);
  });
});

describe("back to back", () => {
  test.each([
    [0, 90, 150],
    [15, 105, 165],
  ])("announces a second of the same length, %d minutes after the first, with it", async (gap, start, end) => {
    const player = await newPlayer(service);
    const second = { start_time: minutes(start), end_time: minutes(end) };
    const { dispatches } = await player.play("back_to_back", { minutes_between_dispatches: gap });
    expect(dispatches[1]).toMatchObject(second);
    expect(await listed(player)).toEqual([]);
    pass({ minutes: 10 });
    expect(await listed(player)).toEqual(dispatches.toReversed());
    const notices = await told(player.hook, 2);
    expect(new Set(notices.map(([, id]) => id))).toEqual(new Set(dispatches.map(({ id }) => id)));
    expect(new Set(notices.map(([event]) => event))).toEqual(new Set(["dispatch.create"]));
  });
});

describe("custom", () => {
  test("applies past states at once, in order", async () => {
    const player = await newPlayer(service);
    const states = [state(-100_000), state(-60, { end_time: minutes(50) }), state(-1, { authorized: false })];
    const { dispatches } = await player.play("custom", { dispatches: { old: { states } } });
    expect(await listed(player)).toMatchObject([{ id: dispatches[0]?.id, modification_number: 2, authorized: false }]);
    expect((await told(player.hook, 3)).map(([event]) => event)).toEqual([
      "dispatch.create",
      "dispatch.update",
      "dispatch.update",
    ]);
  });
});

describe("speed", () => {
  test("counts the minutes between dispatches too", async () => {
    const player = await newPlayer(service);
    const start_time = minutes(100 / 600);
    const more = { speed: 600, minutes_between_dispatches: 10 };
    expect((await player.play("back_to_back", more)).dispatches[1]).toMatchObject({ start_time });
  });
});
