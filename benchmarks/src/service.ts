import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, claimKey, operatorClient } from "@curtail/client";
import { operator } from "@curtail/contract";
import type pg from "pg";
import type { BenchDatabase } from "./database.js";
import { onSignal } from "./on-signal.js";

const command = fileURLToPath(new URL("../../packages/server/curtail.mjs", import.meta.url));
// For profiling the service: BENCH_NODE_OPTIONS="--cpu-prof".
const nodeOptions = process.env["BENCH_NODE_OPTIONS"]?.split(" ") ?? [];
const OPERATOR_TOKEN = "operator-token-of-the-benchmark";

/** The service in its own process, as an operator runs it, with a new database. */
export interface BenchService {
  readonly url: string;
  readonly sandboxUrl: string;
  /** Address for VENs. */
  readonly openadrUrl: string;
  /** Address of OpenADR 3.1, with the base path. */
  readonly openadr3Url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** The operator token. */
  readonly token: string;
  readonly pool: pg.Pool;
  /** Creates an account with sites of one meter each, and its key. */
  newParticipant(sites: number): Promise<BenchParticipant>;
  /** Calls the operator API. */
  readonly operate: Client["call"];
  /** Whether its process is still running. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

export interface BenchServiceOptions {
  /** Added to the default settings; overrides those of the same name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its log goes. */
  readonly log?: "inherit" | "ignore";
  /** Arguments for node, before the command. */
  readonly nodeArguments?: readonly string[];
}

export interface BenchParticipant {
  readonly accountId: string;
  readonly key: string;
  readonly siteIds: readonly string[];
  readonly meterIds: readonly string[];
}

/** Open requests end within this time after SIGTERM; a service that is still busy is then killed. */
const STOP_MS = 20_000;

export const startService = async (
  database: BenchDatabase,
  { settings = {}, log = "inherit", nodeArguments = [] }: BenchServiceOptions = {},
): Promise<BenchService> => {
  const dataDir = await mkdtemp(join(tmpdir(), "curtail-bench-service-"));
  const child = spawn(process.execPath, [...nodeOptions, ...nodeArguments, command, "serve"], {
    stdio: ["ignore", "pipe", log],
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: database.url,
      CURTAIL_PORT: "0",
      CURTAIL_OPENADR_PORT: "0",
      CURTAIL_OPENADR3_PORT: "0",
      CURTAIL_DATA_DIR: dataDir,
      CURTAIL_SANDBOX_PORT: "0",
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
      CURTAIL_RATE_LIMIT: "1000000",
      CURTAIL_LOG_LEVEL: "warn",
      // Benchmarks look into the rows of hours, and their days are long past.
      CURTAIL_PACK_AFTER: "off",
      CURTAIL_FOLD_AFTER: process.env["BENCH_FOLD_AFTER"] ?? "off",
      ...settings,
    },
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    if (isAlive()) await ended(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  const stopOnce = () => (stopping ??= stop());
  const forget = onSignal(stopOnce);
  const { url, sandboxUrl, openadrUrl, openadr3Url } = await addressesOf(child);
  const operate = operatorClient({ url, token: OPERATOR_TOKEN }).call;
  return {
    url,
    sandboxUrl,
    openadrUrl,
    openadr3Url,
    dataDir,
    pid: child.pid ?? 0,
    token: OPERATOR_TOKEN,
    pool: database.pool,
    newParticipant: (sites) => newParticipant(operate, sites),
    operate,
    isAlive,
    async stop() {
      await stopOnce();
      forget();
    },
  };
};

const ended = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  const overdue = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await exit;
  clearTimeout(overdue);
};

type Addresses = Pick<BenchService, "url" | "sandboxUrl" | "openadrUrl" | "openadr3Url">;

const addressesOf = async (child: ChildProcess): Promise<Addresses> => {
  if (child.stdout === null) throw new Error("the service has no standard output");
  let [url, sandboxUrl, openadrUrl, openadr3Url] = ["", "", "", ""];
  for await (const line of createInterface({ input: child.stdout })) {
    url = /production REST.*?(http:\S+)/.exec(line)?.[1] ?? url;
    sandboxUrl = /sandbox REST.*?(http:\S+)/.exec(line)?.[1] ?? sandboxUrl;
    openadrUrl = /OpenADR 2.*?(https:\/\/[^/\s]+)/.exec(line)?.[1] ?? openadrUrl;
    openadr3Url = /OpenADR 3\.1: (http\S+)/.exec(line)?.[1] ?? openadr3Url;
    if (line === "curtail ready") return { url, sandboxUrl, openadrUrl, openadr3Url };
  }
  throw new Error("the service ended before it was ready");
};

const newParticipant = async (operate: BenchService["operate"], sites: number): Promise<BenchParticipant> => {
  const account = await operate(operator.createAccount, { body: { name: "Benchmark" } });
  const params = { id: account.id };
  const created: operator.OperatorSite[] = [];
  for (let index = 0; index < sites; index++) {
    const body = { name: `Site ${index}`, meters: [{ name: "main" }] };
    created.push(await operate(operator.createSite, { params, body }));
  }
  const { claim_url } = await operate(operator.createKey, { params, body: { environment: "production" } });
  const { api_key } = await claimKey(claim_url);
  return {
    accountId: account.id,
    key: api_key,
    siteIds: created.map((site) => site.id),
    meterIds: created.flatMap((site) => site.meters.map((meter) => meter.id)),
  };
};
