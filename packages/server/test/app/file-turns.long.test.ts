import { hostileCsv, hostileJson, hostileNem12, hostileScenarios, hostileXml } from "@curtail/testing/hostile-files";
import { beforeAll, describe, expect, test } from "vitest";
import { leastWatched, watchedRequest } from "../support/main-thread.js";
import { firstOf } from "../support/metering.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../support/running.js";

// Whatever a file or body repeats, long, deep, wide or many: others have their turn.
const PUBLIC_KEY = "sandbox-public-key";
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_SANDBOX_PUBLIC_KEY: PUBLIC_KEY });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  anna = await service.newParticipant();
});

/** Processor time of the main thread in one turn of the event loop. */
const MOST_MS = 50;
const post = (url: string, key: string, body: string) =>
  watchedRequest(url, {
    method: "POST",
    headers: { "x-service-api-key": key, "content-type": "application/json" },
    body,
  });

const dryRun = (body: string, query = "") =>
  watchedRequest(
    `${service.url}/operator/v1/sites/${firstOf(anna).siteId}/meter-data?dry_run=true&timezone=%2B01:00${query}`,
    { method: "PUT", headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "text/plain" }, body },
  );

const FILE_BYTES = 2_000_000;

describe.for([
  ["Green Button", hostileXml],
  ["CSV", hostileCsv],
  ["NEM12", hostileNem12],
] as const)("a file of %s with", ([, files]) => {
  test.for(files.map((file) => [file.name, file] as const))("%s is answered", async ([, file]) => {
    const text = file.text(FILE_BYTES);
    const answer = await leastWatched(MOST_MS, () => dryRun(text));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.longestMs).toBeLessThan(MOST_MS);
  });
});

const UPLOAD_BYTES = 4_000_000;
const USUAL_BYTES = 250_000;

const production = (path: string) => (body: string) => post(`${service.url}/2022-04-15${path}`, anna.key, body);
const sandbox = (path: string) => (body: string) => post(`${service.sandboxUrl}/2022-04-15${path}`, PUBLIC_KEY, body);
describe.for([
  ["an upload", production("/telemetry"), hostileJson("telemetry"), UPLOAD_BYTES],
  [
    "an upload of controllable load",
    production("/telemetry/controllable-load"),
    hostileJson("controllable_load"),
    UPLOAD_BYTES,
  ],
  ["a dispatch", production("/dispatches"), hostileJson("sites"), USUAL_BYTES],
  ["an upload to the sandbox", sandbox("/telemetry"), hostileJson("telemetry"), 1_000_000],
  ["a scenario", sandbox("/scenarios"), [...hostileScenarios, ...hostileJson("dispatches")], USUAL_BYTES],
] as const)("the JSON of %s with", ([, send, files, bytes]) => {
  test.for(files.map((file) => [file.name, file] as const))("%s is answered", async ([, file]) => {
    const text = file.text(bytes);
    const answer = await leastWatched(MOST_MS, () => send(text));
    expect(answer.status, answer.text).toBeLessThan(500);
    expect(answer.longestMs).toBeLessThan(MOST_MS);
  });
});
