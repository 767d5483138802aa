import { describe, expect, test } from "vitest";
import { reportOf } from "../../../src/app/commands/distribute.js";
import { isOlder } from "../../../src/platform/database/distribution-check.js";

const done = { tables: [], shards: 8, workers: 2 };

describe("curtail distribute", () => {
  test("says what it distributed, what it made known, and how readings are spread", () => {
    const tables = ["telemetry_hours", "telemetry_days", "telemetry_archives"];
    expect(reportOf({ ...done, tables }, null)).toBe(
      "distributed by site: telemetry_hours, telemetry_days\nmade known to Citus: telemetry_archives\nreadings are in 8 shards on 2 workers\n",
    );
  });

  test("says that nothing was changed where all was done before", () => {
    expect(reportOf(done, null)).toBe("nothing was changed: readings are in 8 shards on 2 workers\n");
    expect(reportOf({ ...done, workers: 1 }, 8)).toBe("nothing was changed: readings are in 8 shards on 1 worker\n");
  });

  test("refuses another number of shards, with what changes it", () => {
    expect(() => reportOf(done, 16)).toThrow(/alter_distributed_table\('telemetry_hours', shard_count => 16/);
  });

  test.for([
    ["13.2-1", false],
    ["13.1-1", true],
    ["12.2-1", true],
    ["14.0-1", false],
  ] as const)("Citus %s is too old: %s", ([version, expected]) => {
    expect(isOlder(version)).toBe(expected);
  });
});
