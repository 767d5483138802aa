import { beforeAll, expect, test } from "vitest";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { anna, answers, counts, fresh, packAll, prepare } from "../../support/packed-story.js";

// Whatever reads telemetry answers the same before and after its days are packed.
// An import of what is packed, and the worker: telemetry-packed.long.test.ts.
beforeAll(prepare);

test("packed days change no answer, nor do late readings before and after they are packed, too", async () => {
  const before = await answers(await fresh());
  expect(before.energy.site.energy_kwh).not.toBeNull();
  expect(before.measured.site.baseline).toBe("found");
  await packAll();
  // Two days that did not end two days ago, of two meters.
  expect(await counts()).toEqual({ hours: 2 * 48, days: 2 * 9 });
  expect(await answers(await fresh())).toEqual(before);

  const { meterId } = firstOf(anna);
  const late = ["2026-03-29T01:00:00Z", "2026-03-31T10:30:00Z"].map((at) => kwReading(meterId, at, 12.25, 300));
  expect((await upload(anna, late)).status).toBe(200);
  const corrected = await answers(await fresh());
  expect(corrected.read).not.toEqual(before.read);
  expect(corrected.measured.explanation).not.toEqual(before.measured.explanation);
  await packAll();
  expect(await counts()).toEqual({ hours: 2 * 48, days: 2 * 9 });
  expect(await answers(await fresh())).toEqual(corrected);
});
