import { expect, test } from "vitest";
import { findings, KEEP, MORNING, relay, siteWith } from "./support/findings-of-day.js";

test.each([
  [
    "contact: { lost_after: 5m, action: release, after: 30m }",
    "The afternoon dispatch is announced",
    /^Mill: left the afternoon dispatch for 5\dm\d*s? of it, because contact was lost for `lost_after` 5m and `after` 30m/,
  ],
])("with %s the day shows what it costs", async (control, from, finding) => {
  expect(await findings(siteWith(control, relay), from)).toContainEqual(expect.stringMatching(finding));
});

test.each([
  [relay.replace("curtail: 1", "curtail: 0"), "Mill: the output limit never changed: it was 0 all day"],
  [
    relay.replace("curtail: 1", "curtail: 70000"),
    "Mill: the output limit could not be written: plc (192.0.2.10:502, unit 1), holding 2: 70000 does not fit into int16",
  ],
])("an output with %s is found", async (output, finding) => {
  expect(await findings(siteWith(KEEP, output), MORNING, 2)).toContainEqual(finding);
});

test("a meter whose register cannot hold its load is found", async () => {
  const found = await findings(siteWith(KEEP, relay, "scale: 0.001, range: [0, 500]"), MORNING, 2);
  expect(found).toEqual([
    "Mill: the meter grid had no reading: plc (192.0.2.10:502, unit 1), input 1: 200000 does not fit into uint16",
  ]);
});

test("a site without an output is found", async () => {
  const text = siteWith(KEEP, relay);
  expect(await findings(text.slice(0, text.indexOf("    outputs:")), MORNING, 2)).toEqual([
    "Mill: it has no output: a dispatch changes nothing here",
  ]);
});
