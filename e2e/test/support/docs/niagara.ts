import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { participantClient } from "@curtail/client";
import { readTelemetry } from "@curtail/contract";
import { expect } from "vitest";
import type { RecipeTest } from "./recipe-test.js";

/** Uploads the export that the page shows, as it is. */
export const testNiagara = async ({ blocks: [exported], values, documented }: RecipeTest): Promise<void> => {
  const file = join(documented.folder, "history.csv");
  writeFileSync(file, exported?.text ?? "");
  const printed = execFileSync(process.execPath, ["examples/niagara.mjs", file, values.ids["mtr"] ?? ""], {
    cwd: documented.folder,
    env: { CURTAIL_URL: values.url, CURTAIL_API_KEY: values.apiKey },
    encoding: "utf8",
  });
  expect(printed).toContain("3 readings");
  const query = {
    site_id: [values.ids["site"] ?? ""],
    start_time: "2026-06-01T05:00:00Z",
    end_time: "2026-06-01T05:15:00Z",
    interval_seconds: 300 as const,
  };
  const { data } = await participantClient({ url: values.url, key: values.apiKey }).call(readTelemetry, { query });
  const points = data.sites.flatMap(({ meters }) => meters.flatMap(({ telemetry }) => telemetry));
  expect(points.map(({ timestamp, value }) => [timestamp, value.toFixed(3)])).toEqual([
    ["2026-06-01T05:05:00Z", "212.400"],
    ["2026-06-01T05:10:00Z", "214.100"],
    ["2026-06-01T05:15:00Z", "213.000"],
  ]);
};
