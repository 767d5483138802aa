import { deleteScenario, deleteWebhook, listDispatches, listWebhooks, reportScenario } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { PROJECTION } from "../../src/openadr-3/domain/projection.js";
import { caughtUp } from "../support/caught-up.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";
import { untilResources } from "../support/openadr3-objects.js";
import { inMinutes, newPlayer, type Player } from "../support/scenario.js";

let vtn: Vtn;
beforeAll(async () => {
  vtn = await runningVtn();
});

interface Scene {
  readonly player: Player;
  readonly ven: Client31 & Secret31;
}

/** An account that is notified of scenarios only over OpenADR 3. */
const scene = async (): Promise<Scene> => {
  const player = await newPlayer(vtn);
  const [webhook] = (await player.call(listWebhooks)).body.webhooks;
  await player.call(deleteWebhook, { params: { id: webhook?.id ?? "" } });
  const ven = await vtn.ven({ participant: player.participant, environment: "sandbox" });
  const [{ id: venId }] = (await ven.vens.search()).body;
  await untilResources(vtn, venId, 2);
  return { player, ven };
};

interface Event31 {
  readonly id: string;
  readonly eventName: string;
  readonly programID: string;
  readonly targets: readonly string[];
  readonly intervalPeriod?: { readonly start: string; readonly duration: string };
}

/** Events of dispatches, without the standing request for telemetry. */
const eventsOf = async ({ ven }: Scene): Promise<Event31[]> =>
  ((await ven.events.search()).body as Event31[]).filter(({ eventName }) => eventName.includes("dis_"));

const untilEvents = async (each: Scene, count: number): Promise<Event31[]> => {
  await expect.poll(() => eventsOf(each)).toHaveLength(count);
  return eventsOf(each);
};

const noted = async (scenarioId: string): Promise<string[]> =>
  (
    await vtn.database.pool.query(
      "select what, number from sandbox.scenario_acts where scenario_id = $1 order by number, what",
      [scenarioId],
    )
  ).rows.map(({ what, number }) => `${what} ${number}`);

const operating = async ({ ven }: Scene, eventID: string) =>
  ven.reports.made({
    eventID,
    clientName: "gateway",
    resources: [
      {
        resourceName: "STORE-0012",
        intervals: [{ id: 0, payloads: [{ type: "OPERATING_STATE", values: ["RUNNING_CURTAILED"] }] }],
      },
    ],
  });

describe("a VEN of OpenADR 3 in the sandbox", () => {
  test("has the sandbox's sites as resources, and no dispatch of production", async () => {
    const each = await scene();
    const program = await newProgram(vtn, [each.player.participant]);
    await newDispatch(vtn, program);
    expect((await each.ven.resources.search()).body).toMatchObject([
      { resourceName: "STORE-0012" },
      { resourceName: "WH-0003" },
    ]);
    const names = (await each.ven.programs.search()).body.map(
      ({ programName }: { programName: string }) => programName,
    );
    expect(names).toEqual(["Sandbox scenarios", "Telemetry"]);
    expect(await eventsOf(each)).toEqual([]);
  });

  test("sees a scenario from its announcement on, in the program of scenarios, with its changes", async () => {
    const each = await scene();
    const { id, dispatches } = await each.player.play("update");
    vtn.clock.advance({ minutes: 9 });
    expect(await eventsOf(each)).toEqual([]);
    vtn.clock.advance({ minutes: 1 });
    const [event] = await untilEvents(each, 1);
    expect(event).toMatchObject({
      eventName: expect.stringContaining(dispatches[0]?.id ?? "?"),
      targets: ["STORE-0012"],
    });
    const program = (await each.ven.programs.get(event?.programID ?? "")).body;
    expect(program).toMatchObject({ programName: "Sandbox scenarios" });
    vtn.clock.advance({ minutes: 10 });
    await expect
      .poll(async () => (await eventsOf(each))[0]?.intervalPeriod?.start)
      .not.toBe(event?.intervalPeriod?.start);
    expect((await eventsOf(each))[0]?.id).toBe(event?.id);
    expect(await noted(id)).toEqual(["openadr3_polled 0", "openadr3_polled 1"]);
  });

  test("shows in the report of the run in which forms each modification arrived", async () => {
    const player = await newPlayer(vtn);
    const ven = await vtn.ven({ participant: player.participant, environment: "sandbox" });
    await untilResources(vtn, (await ven.vens.search()).body[0].id, 2);
    const { id, dispatches } = await player.play("basic", { notification_time: inMinutes(vtn, 0) });
    await untilEvents({ player, ven }, 1);
    await player.call(listDispatches);
    const notices = async () => (await player.call(reportScenario, { params: { id } })).body.notices;
    await expect
      .poll(async () => (await notices()).map(({ form }) => form).toSorted())
      .toEqual(["get", "openadr3", "webhook"]);
    const each = { dispatch_id: dispatches[0]?.id, modification_number: 0, accepted: true, at: expect.any(String) };
    expect(await notices()).toEqual(
      expect.arrayContaining([
        { ...each, form: "webhook", detail: `${player.hook.url}: 200` },
        { ...each, form: "get", detail: "" },
        { ...each, form: "openadr3", detail: "" },
      ]),
    );
  });

  test("loses the event of a scenario that is cancelled, replaced or deleted", async () => {
    const each = await scene();
    const times = { start_time: inMinutes(vtn, 10), end_time: inMinutes(vtn, 30) };
    await each.player.play("cancellation", { notification_time: inMinutes(vtn, 0), ...times });
    await untilEvents(each, 1);
    vtn.clock.advance({ minutes: 20 });
    await untilEvents(each, 0);
    const later = { notification_time: inMinutes(vtn, 0) };
    const replaced = await each.player.play("basic", later);
    const [before] = await untilEvents(each, 1);
    const { id } = await each.player.play("basic", later);
    await expect.poll(async () => (await eventsOf(each)).map((event) => event.id)).not.toContain(before?.id);
    await untilEvents(each, 1);
    expect(await noted(replaced.id)).toEqual(["openadr3_polled 0", "openadr3_polled 1"]);
    await each.player.call(deleteScenario, { params: { id } });
    await untilEvents(each, 0);
  });

  test("is told of a scenario that ends while it is open", async () => {
    const each = await scene();
    const times = { start_time: inMinutes(vtn, 1), end_time: inMinutes(vtn, 11) };
    await each.player.play("ancillary_services", { notification_time: inMinutes(vtn, 0), ...times });
    const [open] = await untilEvents(each, 1);
    vtn.clock.advance({ minutes: 11 });
    await expect
      .poll(async () => (await eventsOf(each))[0]?.intervalPeriod?.duration)
      .not.toBe(open?.intervalPeriod?.duration);
    expect((await each.ven.events.search({ active: true })).body).toHaveLength(1);
  });

  test("receives sites that a scenario makes up, whichever sites it has in production", async () => {
    const player = await newPlayer(vtn);
    const sites = [player.participant.sites[0]?.id ?? ""];
    const ven = await vtn.ven({ participant: player.participant, environment: "sandbox", sites });
    const made = [{ name: "Depot", customer_location_id: "DEPOT-7", commitment: 30 }];
    await player.play("basic", { notification_time: inMinutes(vtn, 0), sites: made });
    await untilEvents({ player, ven }, 1);
    const names = (await ven.resources.search()).body.map(({ resourceName }: { resourceName: string }) => resourceName);
    expect(names).toContain("DEPOT-7");
  });

  test("created during a scenario gets its event", async () => {
    const player = await newPlayer(vtn);
    await player.play("basic", { notification_time: inMinutes(vtn, 0) });
    const ven = await vtn.ven({ participant: player.participant, environment: "sandbox" });
    await untilEvents({ player, ven }, 1);
  });

  test("created after the dispatch of a scenario is over does not get its event, which another VEN keeps", async () => {
    const each = await scene();
    const times = { start_time: inMinutes(vtn, 1), end_time: inMinutes(vtn, 3) };
    await each.player.play("basic", { notification_time: inMinutes(vtn, 0), ...times });
    await untilEvents(each, 1);
    vtn.clock.advance({ minutes: 5 });
    const late = await vtn.ven({ participant: each.player.participant, environment: "sandbox" });
    const [{ id: venId }] = (await late.vens.search()).body;
    await untilResources(vtn, venId, 2);
    await caughtUp(vtn.database.pool, PROJECTION);
    expect(await eventsOf({ ...each, ven: late })).toEqual([]);
    expect(await eventsOf(each)).toHaveLength(1);
  });

  test.each([
    ["update", ["update_fetched", "curtailed_in_time", "returned_after"]],
    ["cancellation", ["update_fetched", "curtailed_in_time", "stopped_on_cancel"]],
  ] as const)(
    "that polls, reports its state and its load passes everything of a scenario of type %s",
    async (type, more) => {
      const each = await scene();
      const request = async (): Promise<string> =>
        ((await each.ven.events.search()).body as Event31[]).find(({ eventName }) => !eventName.includes("dis_"))?.id ??
        "";
      const standing = await request();
      let known = "";
      const liveMinute = async (): Promise<void> => {
        const events = await eventsOf(each);
        const key = JSON.stringify(events);
        if (key !== known) for (const { id } of events) await operating(each, id);
        known = key;
        const nowMs = vtn.clock.now().getTime();
        const isActive = events.some(({ intervalPeriod }) => {
          const startMs = new Date(intervalPeriod?.start ?? "").getTime();
          return startMs <= nowMs && nowMs < startMs + minutesOf(intervalPeriod?.duration) * 60_000;
        });
        await each.ven.reports.made({
          eventID: standing,
          clientName: "gateway",
          resources: [
            {
              resourceName: "STORE-0012",
              intervalPeriod: { start: inMinutes(vtn, -1), duration: "PT1M" },
              intervals: [{ id: 0, payloads: [{ type: "DEMAND", values: [isActive ? 100 : 200] }] }],
            },
          ],
        });
        vtn.clock.advance({ minutes: 1 });
      };
      for (let minute = 0; minute < 10; minute++) await liveMinute();
      const times = { start_time: inMinutes(vtn, 10), end_time: inMinutes(vtn, 22) };
      const { id } = await each.player.play(type, { notification_time: inMinutes(vtn, 0), ...times });
      await untilEvents(each, 1);
      for (let minute = 0; minute <= 40; minute++) {
        await settled();
        await liveMinute();
      }
      const { state, criteria } = (await each.player.call(reportScenario, { params: { id } })).body;
      expect(state).toBe("final");
      expect(Object.fromEntries(criteria.map(({ name, result }) => [name, result]))).toEqual(
        Object.fromEntries(["notified", "fetched", ...more].map((name) => [name, "passed"])),
      );
    },
  );
});

/** Waits until events follow what is due. */
const settled = async (): Promise<void> => {
  await expect
    .poll(
      async () =>
        (
          await vtn.database.pool.query(
            "select from sandbox.notices where noted_at is null and state <> 'dropped' and due_at <= $1",
            [vtn.clock.now()],
          )
        ).rowCount,
    )
    .toBe(0);
  await caughtUp(vtn.database.pool, PROJECTION);
};

const minutesOf = (duration = ""): number => {
  const [, hours = "0", minutes = "0"] = /^PT(?:(\d+)H)?(?:(\d+)M)?/.exec(duration) ?? [];
  return Number(hours) * 60 + Number(minutes);
};
