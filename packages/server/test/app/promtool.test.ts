import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { alertRules, dashboardQueries, example } from "../support/monitoring-examples.js";

const withoutPromtool = spawnSync("promtool", ["--version"]).error === undefined ? null : "promtool is not installed";

/** As in /etc/prometheus, with the token of the service. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "curtail-prometheus-"));
  cpSync(example("prometheus"), folder, { recursive: true });
  writeFileSync(join(folder, "curtail-metrics-token"), "token");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What promtool complains about; nothing if it accepts the file. */
const complaints = (...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
};

describe("promtool", () => {
  beforeEach(({ skip }) => skip(withoutPromtool !== null, withoutPromtool ?? ""));

  test("accepts the configuration and its rules", () => {
    expect(complaints("check", "config", "prometheus.yml")).toBe("");
    expect(complaints("check", "rules", "curtail.rules.yml")).toBe("");
  });

  test("finds that the alerts fire when they should, and only then", () => {
    expect(complaints("test", "rules", "curtail.rules.test.yml")).toBe("");
  });

  test("finds an alert that no longer fires", () => {
    const [first = ""] = readFileSync(join(folder, "curtail.rules.test.yml"), "utf8").split(
      "  - name: a job without processes",
    );
    writeFileSync(
      join(folder, "later.rules.yml"),
      readFileSync(join(folder, "curtail.rules.yml"), "utf8").replace("== 0\n", "== 7\n"),
    );
    writeFileSync(join(folder, "later.test.yml"), first.replace("- curtail.rules.yml", "- later.rules.yml"));
    expect(complaints("test", "rules", "later.test.yml")).toContain("CurtailDown");
  });

  test("can read the queries of the dashboard", () => {
    const rules = dashboardQueries.map(({ query }, index) => ({ record: `panel:${index}`, expr: query }));
    writeFileSync(join(folder, "panels.yml"), stringify({ groups: [{ name: "panels", rules }] }));
    expect(complaints("check", "rules", "panels.yml")).toBe("");
  });
});

test("every alert fires in a test of the rules", () => {
  const tests = readFileSync(example("prometheus/curtail.rules.test.yml"), "utf8");
  expect(alertRules.map(({ alert }) => alert).filter((alert) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
});
