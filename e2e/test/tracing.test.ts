import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { participantClient } from "@curtail/client";
import { listDispatches, operator, uploadTelemetry } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import { type OtlpReceiver, otlpReceiver } from "@curtail/testing/otlp-receiver";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newParticipant, operate, type Participant } from "./support/participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";
import { webSettings } from "./support/web-service.js";
import { registerWebhook } from "./support/webhooks.js";

// What spans say, and limits: packages/server/test/app/tracing*.test.ts.
const CELL_MS = 30_000;

describe("with the roles api and worker in two processes", () => {
  let database: OwnDatabase;
  let spans: OtlpReceiver;
  let api: ServiceProcess;
  let worker: ServiceProcess;
  let participant: Participant;
  let hook: Receiver;

  beforeAll(async () => {
    database = await clonedDatabase();
    spans = await otlpReceiver();
    const { host, port, user, database: name } = database.connection;
    const settings = {
      DATABASE_URL: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
      OTEL_EXPORTER_OTLP_ENDPOINT: spans.url,
      OTEL_SERVICE_NAME: "curtail-north",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
    };
    const start = (role: string) => startProcess({ ...settings, CURTAIL_ROLES: role });
    [api, worker] = await Promise.all([start("api"), start("worker")]);
    participant = await newParticipant(api.url, 1);
    hook = await receiver();
    await registerWebhook(api.url, participant, hook.url);
  });

  afterAll(async () => {
    await Promise.all([api, worker].map((each) => each.end("SIGTERM")));
    await database.drop();
  });

  /** Means of half a minute that end up to a time. */
  const upload = async (untilMs: number, count: number, kW: number): Promise<void> => {
    const meter_id = participant.sites[0]?.meterId ?? "";
    const telemetry = Array.from({ length: count }, (_, index) => ({
      meter_id,
      interval_seconds: 30,
      timestamp: new Date(untilMs - index * CELL_MS).toISOString(),
      kW,
    }));
    await participantClient({ url: api.url, key: participant.key }).call(uploadTelemetry, { body: { telemetry } });
  };

  test("a dispatch is one trace over both, from the request to the reading below the target", async () => {
    const startMs = Math.floor(Date.now() / CELL_MS) * CELL_MS - 2 * CELL_MS;
    await upload(startMs, 40, 100);
    const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } } as const;
    const program = await operate(api.url, operator.createProgram, {
      body: wireProgram({ name: "Traced", timezone: "UTC", baseline }),
    });
    const site_id = participant.sites[0]?.id ?? "";
    await operate(api.url, operator.enrolSite, { params: { id: program.id, site_id }, body: { commitment: 40 } });
    const start_time = new Date(startMs).toISOString();
    const { id } = await operate(api.url, operator.createDispatch, { body: { program_id: program.id, start_time } });
    await hook.notices(1);
    await participantClient({ url: api.url, key: participant.key }).call(listDispatches);
    await upload(startMs + 2 * CELL_MS, 2, 30);

    const [request] = await spans.named("POST /operator/v1/dispatches");
    const names = ["webhook attempt", "participant poll", "first reading below target"];
    const below = (await Promise.all(names.map((name) => spans.named(name)))).flat();
    expect(below).toHaveLength(names.length);
    for (const span of below)
      expect(span).toMatchObject({
        traceId: request?.traceId,
        parentSpanId: request?.spanId,
        attributes: { "curtail.dispatch.id": id },
      });
    const pidOf = (name: string) =>
      Number(
        String(spans.spans.find((span) => span.name === name)?.resource["service.instance.id"])
          .split(":")
          .at(-1),
      );
    expect(pidOf("participant poll")).toBe(api.pid);
    expect(pidOf("webhook attempt")).toBe(worker.pid);
    expect(pidOf("first reading below target")).toBe(worker.pid);
    expect(request?.resource).toMatchObject({
      "service.name": "curtail-north",
      "deployment.environment.name": "staging",
    });
  });
});

/** Those that a process loads until it ends, but for the API, which counting metrics needs. */
const loaded = async (settings: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> => {
  const own = await temporaryFolder();
  const coverage = join(own.path, "loaded");
  const service = await startProcess({ ...(await webSettings()), NODE_V8_COVERAGE: coverage, ...settings });
  expect(await service.end("SIGTERM")).toBe(0);
  const files = await readdir(coverage);
  const texts = await Promise.all(files.map((name) => readFile(join(coverage, name), "utf8")));
  await own.remove();
  const urls = texts.flatMap((text) =>
    (JSON.parse(text) as { readonly result: ReadonlyArray<{ readonly url: string }> }).result.map(({ url }) => url),
  );
  expect(urls.some((url) => url.includes("packages/server/"))).toBe(true);
  const packages = urls.flatMap((url) => /@opentelemetry\/(?!api\/)[^/]+/.exec(url) ?? []);
  return new Set(packages);
};

describe("the packages of OpenTelemetry", () => {
  test("are not loaded unless the settings name a receiver", async () => {
    expect(await loaded({})).toEqual(new Set());
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })).toContain("@opentelemetry/sdk-trace");
  });
});
