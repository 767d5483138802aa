import { localTime } from "@curtail/measure";
import type { AgentConfig } from "../../../src/config/config.js";
import { parseConfig } from "../../../src/config/read-config.js";
import { dayOf } from "../../../src/rehearse/day.js";
import { findingsOf } from "../../../src/rehearse/findings.js";
import { playDay } from "../../../src/rehearse/play-day.js";

const day = dayOf("2026-10-25", localTime("Europe/Berlin"));

export const siteWith = (control: string, output: string, meter = "range: [0, 500]"): string => `
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
export const relay = `${REGISTER}
        curtail: 1
        normal: 0
        failsafe: 2`;
export const KEEP = "contact: { action: keep }";

const configOf = (text: string): AgentConfig => {
  const read = parseConfig(text, { environment: {}, readText: () => "", isWithoutSecrets: true });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

export const MORNING = "The morning dispatch is announced";

/** What a part of the day shows, from an event that its title begins with, some hours long. */
export const findings = async (text: string, from = MORNING, hours = 4) => {
  const config = configOf(text);
  const fromMs = (day.events.find(({ title }) => title.startsWith(from))?.atMs ?? 0) - 60_000;
  const toMs = Math.min(fromMs + hours * 3_600_000, day.toMs);
  const events = day.events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  return findingsOf(config, await playDay(config, { fromMs, toMs, events }));
};
