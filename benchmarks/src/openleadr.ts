import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@curtail/testing/free-port";
import type { BenchDatabase } from "./database.js";
import { type BenchVtn, made } from "./openadr3-vtn.js";

/** Where a checkout of openleadr-rs is, built with `cargo build --release --bin openleadr-vtn`. */
const folder = process.env["BENCH_OPENLEADR"];
const binary = folder === undefined ? "" : join(folder, "target", "release", "openleadr-vtn");

/** Why it is left out; null: it is there. */
export const withoutOpenleadr =
  folder === undefined
    ? "openleadr-rs is skipped: set BENCH_OPENLEADR to a checkout with a release build of openleadr-vtn"
    : existsSync(binary)
      ? null
      : `openleadr-rs is skipped: ${binary} does not exist; build it with cargo build --release --bin openleadr-vtn`;

const HOUR_SECONDS = 3600;
const START_MS = 15_000;

/** openleadr-rs over a database of the same cluster, with as many VENs. */
export const startOpenleadr = async ({ url: database, pool }: BenchDatabase, vens: number): Promise<BenchVtn> => {
  const migrations = join(folder ?? "", "migrations");
  for (const name of readdirSync(migrations).toSorted()) await pool.query(readFileSync(join(migrations, name), "utf8"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = randomBytes(32);
  const child = spawn(binary, {
    stdio: "ignore",
    // Of its own folder, it would read settings there.
    cwd: "/",
    env: {
      DATABASE_URL: database,
      PORT: String(port),
      OAUTH_TYPE: "EXTERNAL",
      OAUTH_KEY_TYPE: "HMAC",
      OAUTH_BASE64_SECRET: secret.toString("base64"),
      OAUTH_TOKEN_URL: `${url}/auth/token`,
      RUST_LOG: "error",
    },
  });
  await untilListening(url);
  const token = tokenOf(secret, "bl", "read_all write_programs write_events write_vens_bl");
  const clients = Array.from({ length: vens }, (_, nth) => `ven-${nth}`);
  const scopes = "read_targets read_ven_objects write_reports write_vens_ven";
  const vtn: BenchVtn = {
    name: "openleadr-rs",
    url,
    pid: child.pid ?? 0,
    token,
    venTokens: clients.map((client) => tokenOf(secret, client, scopes)),
    async stop() {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
  for (const [nth, venName] of clients.entries())
    await made({ ...vtn, token: vtn.venTokens[nth] ?? "" }, "/vens", { objectType: "VEN_VEN_REQUEST", venName });
  return vtn;
};

/** HS256, as an outside issuer signs it. */
const tokenOf = (secret: Buffer, sub: string, scope: string): string => {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: "HS256", typ: "JWT" },
    { sub, scope, iat: now, exp: now + HOUR_SECONDS },
  ];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
};

const untilListening = async (url: string): Promise<void> => {
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(100)) {
    const isListening = await fetch(`${url}/programs`).then(
      () => true,
      () => false,
    );
    if (isListening) return;
  }
  throw new Error("openleadr-rs does not listen");
};
