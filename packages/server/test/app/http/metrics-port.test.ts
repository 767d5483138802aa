import { operator, uploadTelemetry } from "@curtail/contract";
import { mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { saveBackupState } from "../../../src/backup/storage/backup-state-store.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { freshMetrics } from "../../support/metrics.js";
import { type Running, running } from "../../support/running.js";

const TOKEN = "token-of-the-metrics";

let service: Running;
let url: string;

beforeAll(async () => {
  service = await running({ CURTAIL_METRICS_PORT: "0", CURTAIL_METRICS_TOKEN: TOKEN });
  url = service.metricsUrl ?? "";
});

const at = (path: string, headers: Readonly<Record<string, string>> = {}) => httpClient(url, headers)("GET", path);

describe("a port of health and metrics", () => {
  test("is alive, and ready while the database is", async () => {
    expect(await at("/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
    expect(await at("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
    await service.database.cutOff();
    expect((await at("/readyz")).status).toBe(503);
    expect((await at("/healthz")).status).toBe(200);
    await service.database.letIn();
  });

  test("shows metrics for the same token as the other ports", async () => {
    expectError(await at("/metrics"), 401);
    expectError(await at("/metrics", { authorization: "Bearer another-token-here" }), 401);
    const { status, text } = await at("/metrics", { authorization: `Bearer ${TOKEN}` });
    expect(status).toBe(200);
    expect(text).toContain("process_resident_memory_bytes");
    expect(text).toContain("curtail_webhook_first_attempt_seconds");
  });

  test("serves nothing else", async () => {
    const paths = [
      "/",
      "/2022-04-15/sites",
      operator.listAccounts.path,
      uploadTelemetry.path,
      "/.well-known/curtail",
      "/docs/",
    ];
    for (const path of paths) expectError(await at(path), 404);
  });

  test("is not opened unless it is set", async () => {
    expect((await running()).metricsUrl).toBeNull();
  });
});

/** The value of a sample without labels, or with these; NaN: there is none. */
const sampleOf = async (of: Running, name: string): Promise<number> => {
  const text = await freshMetrics(of);
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? Number.NaN,
  );
};

describe("metrics", () => {
  test("show the size of the database", async () => {
    const of = await running();
    const { rows } = await of.database.pool.query("select pg_database_size(current_database())::float8 as bytes");
    const shown = await sampleOf(of, "curtail_database_bytes");
    expect(shown).toBeGreaterThan(0.9 * rows[0].bytes);
    expect(shown).toBeLessThan(1.1 * rows[0].bytes);
  });

  test("show the age of the newest backup once there is one", async () => {
    const of = await running();
    expect(await sampleOf(of, "curtail_backup_age_seconds")).toBeNaN();
    const now = of.clock.now().getTime();
    const [madeAt, triedAt] = [new Date(now - 7_200_000), new Date(now)];
    await saveBackupState(of.database.pool, { madeAt, triedAt, failure: "full", directory: "/backups" });
    expect(await sampleOf(of, "curtail_backup_age_seconds")).toBeCloseTo(7200, -1);
  });

  test("count emails by what the mail server did", async () => {
    const box = await mailbox();
    const of = await running({ CURTAIL_SMTP_URL: box.url });
    const anna = await of.newParticipant();
    await of.made(operator.createContact, {
      params: { id: anna.accountId },
      body: { name: "Ann", email: "ann@example.com" },
    });
    const count = (result: string) => sampleOf(of, `curtail_mail_attempts_total{result="${result}"}`);
    expect(await count("success")).toBeNaN();
    await newDispatch(of, await newProgram(of, [anna]));
    await expect.poll(() => count("success"), { timeout: 20_000 }).toBe(1);
  });
});
