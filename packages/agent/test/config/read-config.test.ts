import { expect, test } from "vitest";
import type { AgentConfig } from "../../src/config/config.js";
import { faultLine, parseConfig } from "../../src/config/read-config.js";

const edge = {
  environment: { CURTAIL_API_KEY: "ctp_from_environment", LONG: "k".repeat(1_001) },
  readText: (path: string): string => {
    if (path === "key.txt") return "ctp_from_file\n";
    if (path === "two.txt") return "ctp_first\nctp_second\n";
    throw new Error("ENOENT: no such file");
  },
};

const whole = `
service:
  url: https://curtail.example.com/
  key_env: CURTAIL_API_KEY
state: /var/lib/curtail-agent
connections:
  plc: { modbus: { host: 192.0.2.10 } }
sites:
  - id: site_1
    meters:
      - id: mtr_1
        unit: W
        range: [0, 500]
        source: { modbus: { connection: plc, table: input, address: 12, type: float32 } }
    outputs:
      - name: relay
        to: { modbus: { connection: plc, table: coil, address: 3 } }
        curtail: true
        normal: false
`;

const faultsOf = (text: string): readonly string[] => {
  const read = parseConfig(text, edge);
  return "faults" in read ? read.faults.map((fault) => faultLine("agent.yaml", fault)) : [];
};

const configOf = (text: string): AgentConfig => {
  const read = parseConfig(text, edge);
  if ("faults" in read) throw new Error(faultsOf(text).join("\n"));
  return read.config;
};

const changed = (from: string, to: string): string => {
  expect(whole).toContain(from);
  return whole.replace(from, to);
};

test("a whole file is read, with defaults for what it leaves out", () => {
  const { service, sites, statusPort, log } = configOf(whole);
  expect(service).toMatchObject({ url: "https://curtail.example.com", key: "ctp_from_environment", pollMs: 30_000 });
  expect({ statusPort, log }).toEqual({ statusPort: 8180, log: "words" });
  expect(sites[0]?.meters[0]).toMatchObject({
    name: "mtr_1",
    conversion: { unit: "W", scale: 1, positive: "load", range: [0, 500] },
    sampling: { intervalMs: 60_000, method: "average" },
    source: { protocol: "modbus", table: "input", address: 12, wordOrder: "big" },
  });
  expect(sites[0]?.outputs[0]).toMatchObject({ curtail: 1, full: 1, normal: 0, ramp: null });
  expect(sites[0]?.control.contact).toEqual({ lostAfterMs: 180_000, action: "keep", afterMs: 0 });
});

test("the key is read from a file", () => {
  expect(configOf(changed("key_env: CURTAIL_API_KEY", "key_file: key.txt")).service.key).toBe("ctp_from_file");
});

const NO_KEY = "must give one API key and nothing else: a line of at most 1,000 characters, without spaces";

test.each([
  [
    "key_env: CURTAIL_API_KEY",
    "key_env: OTHER",
    "agent.yaml:4: service.key_env the environment variable OTHER is not set",
  ],
  [
    "key_env: CURTAIL_API_KEY",
    "key_file: none.txt",
    "agent.yaml:4: service.key_file none.txt cannot be read: ENOENT: no such file",
  ],
  ["key_env: CURTAIL_API_KEY", "key_file: two.txt", `agent.yaml:4: service.key_file ${NO_KEY}`],
  ["key_env: CURTAIL_API_KEY", "key_env: LONG", `agent.yaml:4: service.key_env ${NO_KEY}`],
  ["key_env: CURTAIL_API_KEY", "key: ctp one", `agent.yaml:4: service.key ${NO_KEY}`],
  ["  key_env: CURTAIL_API_KEY\n", "", "agent.yaml:3: service has no key: give one of key_file, key_env and key"],
  [
    "address: 12",
    "adress: 12",
    "agent.yaml:14: sites[0].meters[0].source.modbus.adress is not a known setting; did you mean address?",
  ],
  ["unit: W", "unit: kWh", "agent.yaml:12: sites[0].meters[0].unit must be one of W, kW, MW; did you mean kW?"],
  [
    "range: [0, 500]",
    "interval: 45s\n        range: [0, 500]",
    "agent.yaml:13: sites[0].meters[0].interval must be divisible by 30s",
  ],
  [
    "range: [0, 500]",
    "interval: 10m\n        range: [0, 500]",
    "agent.yaml:13: sites[0].meters[0].interval must be from 30s to 5m",
  ],
  ["range: [0, 500]", "range: [500, 0]", "agent.yaml:13: sites[0].meters[0].range must be [lowest, highest] in kW"],
  [
    "        range: [0, 500]\n",
    "",
    "agent.yaml:11: sites[0].meters[0].range is missing: give the plausible kW, such as [0, 500]",
  ],
  [
    "connection: plc, table: coil",
    "connection: plk, table: coil",
    "agent.yaml:7: connections has no plk, which is used for modbus; did you mean plc?",
  ],
  [
    "table: coil",
    "table: discrete",
    "agent.yaml:17: sites[0].outputs[0].to.modbus.table discrete cannot be written; use holding or coil",
  ],
  [
    "normal: false",
    "normal: release",
    "agent.yaml:19: sites[0].outputs[0].normal a register cannot be released; give its normal value",
  ],
  ["state: /var/lib/curtail-agent", "state: state", "agent.yaml:5: state must be an absolute path"],
  ["curtail: true", "curtail: commitment", "agent.yaml:16: sites[0].outputs[0].full is missing: give a number"],
  [
    "{ modbus: { connection: plc, table: coil, address: 3 } }",
    "{ modbuss: {} }",
    "agent.yaml:17: sites[0].outputs[0].to.modbuss is not a known setting; did you mean modbus?",
  ],
])("%s changed to %s is refused with its line, and what to do", (from, to, fault) => {
  expect(faultsOf(changed(from, to))).toContain(fault);
});

test("every fault is reported at once, by line", () => {
  const text = changed("unit: W", "unit: X").replace("address: 3", "address: 70000").replace("url:", "urk:");
  const lines = faultsOf(text).map((line) => Number(/:(\d+):/.exec(line)?.[1]));
  expect(lines.length).toBeGreaterThanOrEqual(4);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

test("a fail-safe level is asked for where the contact rule needs it", () => {
  const text = changed("    outputs:", "    control: { contact: { action: level } }\n    outputs:");
  expect(faultsOf(text).join()).toContain(
    'needs failsafe in the output relay of site_1: its contact has "action: level"',
  );
});

test.each(["", "[1, 2]", "just words", "a: [", "a: 1\na: 2"])("%j is refused without an exception", (text) => {
  expect(faultsOf(text)).not.toEqual([]);
});
