import { expect, test } from "vitest";
import { findings, KEEP, MORNING, relay, siteWith } from "./support/findings-of-day.js";

test("a setting without a danger has no finding", async () => {
  expect(await findings(siteWith(KEEP, relay), MORNING, 24)).toEqual([]);
});

test.each([
  [
    "contact: { lost_after: 3h, action: level }",
    "The afternoon dispatch is announced",
    /^Mill: `contact.action: level` did not come: contact was lost for 1h30m, and it comes after 3h$/,
  ],
  [
    `minimum_off: 75m, ${KEEP}`,
    "The morning dispatch is changed",
    /^Mill: curtailed 15m(\d+s)? too late in the noon dispatch: `minimum_off` is 1h15m$/,
  ],
  [
    `minimum_on: 45m, ${KEEP}`,
    "The noon dispatch is announced",
    /^Mill: curtailed on for 1\dm(\d+s)? after the noon dispatch had ended: `minimum_on` is 45m$/,
  ],
  [
    `maximum_on: 1h, ${KEEP}`,
    "The morning dispatch is announced",
    /^Mill: rested for 1h30m of the morning dispatch: `maximum_on` is 1h$/,
  ],
])("with %s the day shows what it costs", async (control, from, finding) => {
  expect(await findings(siteWith(control, relay), from)).toContainEqual(expect.stringMatching(finding));
});

test.each([
  [
    `${relay.replace("curtail: 1", "curtail: commitment")}\n        full: 9\n        max: 60`,
    "Mill: the output limit cannot follow a commitment of 75 kW: `max` is 60",
  ],
  [
    "to: { bacnet: { connection: bms, object: analog-value 4 } }\n        curtail: 40\n        normal: release\n        ramp: { per_minute: 10 }",
    "Mill: the output limit jumps in spite of its `ramp`: after `normal: release` there is no value to begin at",
  ],
  [
    `${relay.replace("normal: 0", "normal: 101")}\n        ramp: { per_minute: 10 }`,
    /^Mill: the output limit reaches its value up to 9m\d+s after a start: begin before it with `lead`$/,
  ],
])("an output with %s is found", async (output, finding) => {
  expect(await findings(siteWith(KEEP, output), MORNING, 2)).toContainEqual(
    typeof finding === "string" ? finding : expect.stringMatching(finding),
  );
});
