import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AgentOptions } from "../../src/run/run-agent.js";
import { day, played, root, run, small, written } from "./support/rehearsed.js";

const example = join(root, "examples/agent.yaml");

const days = new Map<string, ReturnType<typeof played>>();

/** The day of a file, played once. */
const dayOfFile = (file: string): ReturnType<typeof played> => {
  const known = days.get(file) ?? played(file);
  days.set(file, known);
  return known;
};

test("docs/agent.md shows what the command prints for the example", async () => {
  const page = readFileSync(join(root, "docs/agent.md"), "utf8");
  const from = page.indexOf("Rehearsal of 2026-10-25");
  const shown = page.slice(from, page.indexOf("\n```", from));
  const { printed, ms } = await dayOfFile("examples/agent.yaml");
  expect(shown).toBe(printed.join("\n"));
  // So that the next test but one measures something.
  expect(ms).toBeGreaterThan(50);
});

const examples = ["examples", "docs"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))))
  .filter((file) => /\.ya?ml$/.test(file) && /^sites:/m.test(readFileSync(join(root, file), "utf8")));

test("there are examples", () => {
  expect(examples).toContain("examples/agent.yaml");
});

test.each(examples)("%s is played in a few seconds, without the files that hold its secrets", async (file) => {
  const { code, faults, ms } = await dayOfFile(file);
  expect([code, faults]).toEqual([0, []]);
  expect(ms).toBeLessThan(20_000);
});

test("as JSON the same is there for programs", async () => {
  const { printed } = await run({ config: written(small), ...day, json: true });
  const rehearsal = JSON.parse(printed.join("\n"));
  expect(rehearsal).toMatchObject({ date: "2026-10-25", timezone: "Europe/Berlin" });
  expect(rehearsal.timeline[0]).toEqual({
    at: "2026-10-25T00:00:00+02:00",
    kind: "event",
    text: "The agent starts, with an empty state folder",
  });
  expect(rehearsal.timeline).toContainEqual(
    expect.objectContaining({ kind: "site", site: "Mill", phase: "normal", cause: "contact lost" }),
  );
  expect(rehearsal.readings[0]).toMatchObject({ meter: "grid", interval_seconds: 60, kept: 90 });
});

test.each<[string, AgentOptions, string]>([
  ["no configuration", { rehearse: true }, "Name the configuration: curtail agent --config agent.yaml."],
  ["two things at once", { config: example, ...day, check: true }, "Give one of --rehearse, --check and --dry-run."],
  ["a date alone", { config: example, at: "2026-10-25" }, "Add --rehearse: --at, --timezone and --json belong to it."],
  ["no day", { config: example, ...day, at: "2026-02-30" }, "--at 2026-02-30 is not a day"],
  ["a day of another age", { config: example, ...day, at: "1999-12-31" }, "--at 1999-12-31 is not a day"],
  ["no zone", { config: example, ...day, timezone: "Berlin" }, "--timezone Berlin is not known"],
  ["no file", { config: "/nowhere/agent.yaml", ...day }, "/nowhere/agent.yaml cannot be read"],
])("%s ends with 2 and what to do", async (_, options, fault) => {
  const { code, printed, faults } = await run(options);
  expect([code, printed]).toEqual([2, []]);
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

test("a configuration that is wrong is explained by line, and nothing is played", async () => {
  const file = written(readFileSync(example, "utf8").replace("unit: W ", "unit: kWh "));
  const { code, printed, faults } = await run({ config: file, ...day });
  expect([code, printed]).toEqual([2, []]);
  expect(faults).toEqual([`${file}:37: sites[0].meters[0].unit must be one of W, kW, MW; did you mean kW?`]);
});
