import { expect, test } from "vitest";
import { run, small, written } from "./support/rehearsed.js";

test("without a date the next change of clocks is played; where clocks never change, tomorrow", async () => {
  const config = written(small);
  const berlin = await run({ config, rehearse: true, timezone: "Europe/Berlin" });
  expect(berlin.printed[0]).toMatch(/^Rehearsal of 2026-10-25, times of Europe\/Berlin\./);
  expect(berlin.printed.join("\n")).toContain("The clocks of the site are changed: after 02:59:59 comes 02:00:00");
  const tokyo = await run({ config, rehearse: true, timezone: "Asia/Tokyo" });
  expect(tokyo.printed[0]).toMatch(/^Rehearsal of 2026-07-02/);
  expect(tokyo.printed.join("\n")).not.toContain("clocks of the site");
});
