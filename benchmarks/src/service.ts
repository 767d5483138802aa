import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { BenchDatabase } from "./database.js";

const command = fileURLToPath(new URL("../../packages/server/curtail.mjs", import.meta.url));
// For profiling the service: BENCH_NODE_OPTIONS="--cpu-prof".
const nodeOptions = process.env["BENCH_NODE_OPTIONS"]?.split(" ") ?? [];
const OPERATOR_TOKEN = "operator-token-of-the-benchmark";

/** The service in a process of its own, as an operator runs it, over a fresh database. */
export interface BenchService {
  readonly url: string;
  /** Where VENs connect. */
  readonly openadrUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Of the operator API. */
  readonly token: string;
  readonly pool: pg.Pool;
  /** An account with sites of one meter each, and its key. */
  newParticipant(sites: number): Promise<BenchParticipant>;
  /** Posts to the operator API; answers what it made. */
  made<T>(path: string, body: unknown): Promise<T>;
  stop(): Promise<void>;
}

export interface BenchParticipant {
  readonly key: string;
  readonly siteIds: readonly string[];
  readonly meterIds: readonly string[];
}

export const startService = async (database: BenchDatabase): Promise<BenchService> => {
  const dataDir = await mkdtemp(join(tmpdir(), "curtail-bench-service-"));
  const child = spawn(process.execPath, [...nodeOptions, command, "serve"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: database.url,
      CURTAIL_PORT: "0",
      CURTAIL_OPENADR_PORT: "0",
      CURTAIL_DATA_DIR: dataDir,
      CURTAIL_SANDBOX_PORT: "0",
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
      CURTAIL_RATE_LIMIT: "1000000",
      CURTAIL_LOG_LEVEL: "warn",
    },
  });
  const { url, openadrUrl } = await addressesOf(child);
  const made: BenchService["made"] = (path, body) => makeAt(url, path, body);
  return {
    url,
    openadrUrl,
    dataDir,
    pid: child.pid ?? 0,
    token: OPERATOR_TOKEN,
    pool: database.pool,
    newParticipant: (sites) => newParticipant(made, sites),
    made,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(dataDir, { recursive: true });
    },
  };
};

const addressesOf = async (child: ChildProcess): Promise<Pick<BenchService, "url" | "openadrUrl">> => {
  if (child.stdout === null) throw new Error("the service has no standard output");
  let [url, openadrUrl] = ["", ""];
  for await (const line of createInterface({ input: child.stdout })) {
    url = /production REST.*?(http:\S+)/.exec(line)?.[1] ?? url;
    openadrUrl = /OpenADR.*?(https:\/\/[^/\s]+)/.exec(line)?.[1] ?? openadrUrl;
    if (line === "curtail ready") return { url, openadrUrl };
  }
  throw new Error("the service ended before it was ready");
};

const makeAt = async <T>(url: string, path: string, body: unknown): Promise<T> => {
  const response = await fetch(`${url}/operator/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
};

const newParticipant = async (made: BenchService["made"], sites: number): Promise<BenchParticipant> => {
  const account = await made<{ id: string }>("/accounts", { name: "Benchmark" });
  const created: Array<{ id: string; meters: Array<{ id: string }> }> = [];
  for (let index = 0; index < sites; index++) {
    created.push(await made(`/accounts/${account.id}/sites`, { name: `Site ${index}`, meters: [{ name: "main" }] }));
  }
  const { claim_url } = await made<{ claim_url: string }>(`/accounts/${account.id}/keys`, {
    environment: "production",
  });
  const { api_key } = (await (await fetch(claim_url, { method: "POST" })).json()) as { api_key: string };
  return {
    key: api_key,
    siteIds: created.map((site) => site.id),
    meterIds: created.flatMap((site) => site.meters.map((meter) => meter.id)),
  };
};
