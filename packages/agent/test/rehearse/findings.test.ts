import { localTime } from "@curtail/measure";
import { expect, test } from "vitest";
import type { AgentConfig } from "../../src/config/config.js";
import { parseConfig } from "../../src/config/read-config.js";
import { dayOf } from "../../src/rehearse/day.js";
import { findingsOf } from "../../src/rehearse/findings.js";
import { playDay } from "../../src/rehearse/play-day.js";

const day = dayOf("2026-10-25", localTime("Europe/Berlin"));

const siteWith = (control: string, output: string, meter = "range: [0, 500]"): string => `
service: { url: "https://curtail.example.com", key_env: NOT_SET }
state: /var/lib/curtail-agent
connections: { plc: { modbus: { host: 192.0.2.10 } }, bms: { bacnet: { host: 192.0.2.20 } } }
sites:
  - id: site_1
    name: Mill
    control: { ${control} }
    meters:
      - { id: mtr_1, name: grid, unit: kW, ${meter}, source: { modbus: { connection: plc, table: input, address: 1, type: uint16 } } }
    outputs:
      - name: limit
        ${output}
`;

const REGISTER = "to: { modbus: { connection: plc, table: holding, address: 2, type: int16 } }";
const relay = `${REGISTER}
        curtail: 1
        normal: 0
        failsafe: 2`;
const KEEP = "contact: { action: keep }";

const configOf = (text: string): AgentConfig => {
  const read = parseConfig(text, { environment: {}, readText: () => "", isWithoutSecrets: true });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

const MORNING = "The morning dispatch is announced";

/** What a part of the day shows, from an event that its title begins with, some hours long. */
const findings = async (text: string, from = MORNING, hours = 4) => {
  const config = configOf(text);
  const fromMs = (day.events.find(({ title }) => title.startsWith(from))?.atMs ?? 0) - 60_000;
  const toMs = Math.min(fromMs + hours * 3_600_000, day.toMs);
  const events = day.events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  return findingsOf(config, await playDay(config, { fromMs, toMs, events }));
};

test("a setting without a danger has no finding", async () => {
  expect(await findings(siteWith(KEEP, relay), MORNING, 24)).toEqual([]);
});

test.each([
  [
    "contact: { lost_after: 5m, action: release, after: 30m }",
    "The afternoon dispatch is announced",
    /^Mill: left the afternoon dispatch for 5\dm\d*s? of it, because contact was lost for `lost_after` 5m and `after` 30m/,
  ],
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
  [relay.replace("curtail: 1", "curtail: 0"), "Mill: the output limit never changed: it was 0 all day"],
  [
    relay.replace("curtail: 1", "curtail: 70000"),
    "Mill: the output limit could not be written: plc (192.0.2.10:502, unit 1), holding 2: 70000 does not fit into int16",
  ],
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
