import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultLine, parseConfig } from "../../src/config/read-config.js";

const example = readFileSync(new URL("../../../../examples/agent.yaml", import.meta.url), "utf8");

test("the example is a configuration without a fault, with a reader and a writer of each kind that it shows", () => {
  const read = parseConfig(example, { environment: {}, readText: () => "secret\n" });
  if ("faults" in read) throw new Error(read.faults.map((fault) => faultLine("examples/agent.yaml", fault)).join("\n"));
  const [site] = read.config.sites;
  expect(site?.meters.map(({ source }) => source.protocol)).toEqual(["modbus", "mqtt"]);
  expect(site?.outputs.map(({ target }) => target.protocol)).toEqual(["bacnet", "modbus", "mqtt", "command"]);
  expect(site?.control).toMatchObject({ leadMs: 300_000, contact: { action: "release", afterMs: 1_800_000 } });
});
