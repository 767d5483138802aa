import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { kwReading, pointsOf, read, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_MAX_READINGS: "2000", CURTAIL_RATE_LIMIT: "100000" });
});

const label = (cell: number): string =>
  new Date(Date.UTC(2026, 6, 1, 0, 0, 30 * (cell + 1))).toISOString().replace(".000", "");

// G22, G27: an upload answered with 200 is stored, however many arrive at once.
describe("uploads at the same time", () => {
  let anna: Participant;

  beforeAll(async () => {
    service.clock.set(new Date("2026-07-02T00:00:00Z"));
    anna = await service.newParticipant({ sites: [["main"], ["main"], ["main"]] });
  });

  const DAY = { start_time: "2026-07-01T00:00:00Z", end_time: "2026-07-02T00:00:00Z" };

  test("of the same cells leave one of them whole, never a mixture", async () => {
    const meterId = anna.sites[1]?.meters[0] ?? "";
    const whole = (kw: number) => Array.from({ length: 50 }, (_, cell) => kwReading(meterId, label(cell * 3), kw));
    await Promise.all(Array.from({ length: 40 }, (_, kw) => upload(anna, whole(kw))));
    const stored = pointsOf(await read(anna, [anna.sites[1]?.id ?? ""], DAY), meterId);
    expect(stored).toHaveLength(50);
    expect(new Set(stored.map(([, kw]) => kw)).size).toBe(1);
  });

  test("one after the other keep their order", async () => {
    const meterId = anna.sites[2]?.meters[0] ?? "";
    for (let kw = 0; kw < 30; kw++) await upload(anna, [kwReading(meterId, label(7), kw)]);
    expect(pointsOf(await read(anna, [anna.sites[2]?.id ?? ""], DAY), meterId)).toEqual([[label(7), 29]]);
  });

  test("of many meters in different orders all succeed", async () => {
    const ben = await service.newParticipant({ sites: [Array.from({ length: 20 }, (_, index) => `meter ${index}`)] });
    const meters = ben.sites[0]?.meters ?? [];
    const turned = (by: number) => [...meters.slice(by), ...meters.slice(0, by)];
    const uploads = meters.flatMap((_, by) => [turned(by), turned(by).toReversed()]);
    const answers = await Promise.all(
      uploads.map((order, index) =>
        upload(
          ben,
          order.map((meter) => kwReading(meter, label(index), index)),
        ),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const answer = await read(ben, [ben.sites[0]?.id ?? ""], DAY);
    for (const meter of meters)
      expect(pointsOf(answer, meter).map(([, kw]) => kw)).toEqual(uploads.map((_, index) => index));
  });
});

test("the sites of a request are at most 50, each counted once", async () => {
  const ben = await service.newParticipant({ sites: Array.from({ length: 51 }, () => ["main"]) });
  const ids = ben.sites.map((site) => site.id);
  const asked = { start_time: "2026-03-01T00:00:00Z" };
  const answer = await read(ben, [...ids.slice(0, 50), ids[0] ?? ""], asked);
  expect(answer.body.data.sites).toHaveLength(50);
  expectError(await read(ben, ids, asked), 400, /names 51 sites; the maximum is 50 .*Split/);
});
