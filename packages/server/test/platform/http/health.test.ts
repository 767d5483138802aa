import { getDispatch } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { httpClient, type Send } from "../../support/http-client.js";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { freshMetrics } from "../../support/metrics.js";
import { type Running, running } from "../../support/running.js";

// Requests of load balancers and monitoring; none needs a key.
let service: Running;
let anyone: Send;

beforeAll(async () => {
  service = await running();
  anyone = httpClient(service.url);
});

/** The value of a sample of /metrics, by its name with labels. */
const sample = async (name: string): Promise<number> => {
  const text = await freshMetrics(service);
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
};

describe("health", () => {
  test("alive while the process answers, ready while the database does", async () => {
    expect(await anyone("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
    expect(await anyone("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
  });

  test("not ready, but alive, while the database refuses connections", async () => {
    await service.database.cutOff();
    const answer = await anyone("GET", "/readyz");
    expect(answer).toMatchObject({ status: 503, body: { status: "not ready", why: "the database does not respond" } });
    expect((await anyone("GET", "/healthz")).status).toBe(200);
    await service.database.letIn();
    expect((await anyone("GET", "/readyz")).status).toBe(200);
  });
});

describe("metrics", () => {
  test("are in the Prometheus text format", async () => {
    const { status, headers, text } = await anyone("GET", "/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of text.trimEnd().split("\n")) expect(line).toMatch(/^($|#|[a-z_][a-z0-9_]*(\{.*\})? )/i);
  });

  test("count the readings that were answered with 200, and no others", async () => {
    const anna = await service.newParticipant();
    const before = await sample("curtail_telemetry_readings_total");
    const reading = kwReading(firstOf(anna).meterId, service.clock.now().toISOString(), 1);
    await upload(anna, [reading, reading, reading]);
    await upload(anna, [reading, { ...reading, interval_seconds: 31 }]);
    expect((await sample("curtail_telemetry_readings_total")) - before).toBe(3);
  });

  test("time requests by route, never by address", async () => {
    const anna = await service.newParticipant();
    await anna.call(getDispatch, { params: { id: "dis_secret" } });
    const name =
      'curtail_http_request_duration_seconds_count{route="/2022-04-15/dispatches/:id",method="GET",status="404"}';
    await expect.poll(() => sample(name)).toBeGreaterThanOrEqual(1);
    expect((await anyone("GET", "/metrics")).text).not.toContain("dis_secret");
  });

  test("show the connections to the database", async () => {
    expect(await sample('curtail_database_connections{state="waiting"}')).toBe(0);
    expect(await sample('curtail_database_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
  });
});
