import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { participantClient } from "@curtail/client";
import { readTelemetry } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import { installedNodeRed, NODE_RED_4, NodeRed } from "../node-red.js";
import { temporaryFolder } from "../service-process.js";
import { filledIn } from "./placeholders.js";
import type { RecipeTest } from "./recipe-test.js";

/** Runs the flow in Node-RED: it follows the dispatch, and the number of its inject node becomes a reading. */
export const testNodeRed = async ({ blocks: [block], values }: RecipeTest): Promise<void> => {
  const flow: unknown = JSON.parse(filledIn(block?.text ?? "", values));
  const installed = await installedNodeRed(NODE_RED_4);
  if (installed === null) return;
  const { path, remove } = await temporaryFolder();
  atEnd(remove);
  const credentials = { "curtail-service": { key: values.apiKey } };
  const nodeRed = await NodeRed.start(installed, path, { of: () => flow, credentials });
  atEnd(() => nodeRed.end("SIGTERM"));
  const told = join(path, "curtail", "dispatch-curtail-follow.json");
  await expect.poll(() => readFile(told, "utf8").catch(() => "")).toContain(values.ids["dis"] ?? "no id");
  await nodeRed.inject("curtail-meter");
  // A stop does not wait for the end of the minute: the reading is sent after the next start.
  await nodeRed.end("SIGTERM");
  await nodeRed.startAgain();
  await expect.poll(() => newestOf(values)).toBe(412.5);
};

const newestOf = async ({ url, apiKey, ids }: RecipeTest["values"]): Promise<number | undefined> => {
  const [start_time, end_time] = [-120_000, 120_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const query = { site_id: [ids["site"] ?? ""], start_time: start_time ?? "", end_time: end_time ?? "" };
  const { data } = await participantClient({ url, key: apiKey }).call(readTelemetry, { query });
  return data.sites.flatMap(({ meters }) => meters.flatMap(({ telemetry }) => telemetry)).at(-1)?.value;
};
