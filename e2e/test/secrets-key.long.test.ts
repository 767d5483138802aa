import { spawn } from "node:child_process";
import { once } from "node:events";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { preparedFolder } from "./support/prepared-data.js";
import { command, OPERATOR_TOKEN, startProcess } from "./support/service-process.js";

const EXIT_BAD_CONFIG = 78;
/** Four starts. */
const STARTS_MS = 180_000;
const PUBLIC_URL = "https://curtail.example.com";

/** A command that ends by itself. */
const run = async (name: string, settings: Readonly<Record<string, string>>) => {
  const ports = { CURTAIL_PORT: "0", CURTAIL_SANDBOX_PORT: "0", CURTAIL_OPENADR_PORT: "0", CURTAIL_OPENADR3_PORT: "0" };
  const child = spawn(process.execPath, [command, name], {
    env: { PATH: process.env["PATH"], ...ports, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), output, errors };
};

test(
  "a service warns of a shared address, logs what it refuses, and starts with the key of its secrets only",
  async () => {
    const folder = await preparedFolder("memory");
    atEnd(() => folder.remove());
    const settings = { CURTAIL_DATA_DIR: folder.dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };

    const first = await startProcess({ ...settings, CURTAIL_PUBLIC_URL: PUBLIC_URL });
    expect(first.log()).toContain("CURTAIL_TRUSTED_PROXIES names no proxy");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ email: "ann@example.com", password: "a password of somebody" });
    expect((await fetch(`${first.url}/auth/sign-in`, { method: "POST", headers, body })).status).toBe(401);
    const wrong = { authorization: "Bearer a-token-of-somebody" };
    expect((await fetch(`${first.url}/operator/v1/accounts`, { headers: wrong })).status).toBe(401);
    await expect
      .poll(first.log)
      .toMatch(/"kind":"password","address":"127\.0\.0\.1"[^\n]*\n.*"kind":"operator_token"/s);
    expect(first.log()).not.toContain("of somebody");
    expect(first.log()).not.toContain("a-token-of-somebody");
    expect(await first.end("SIGTERM")).toBe(0);

    const [key, away] = [join(folder.dataDir, "secrets.key"), join(folder.dataDir, "away")];
    await rename(key, away);
    const refused = await run("serve", settings);
    expect([refused.code, refused.errors]).toEqual([EXIT_BAD_CONFIG, expect.stringMatching(/restore secrets\.key to/)]);
    await rename(away, key);

    const rotated = await run("rotate-secrets", settings);
    expect([rotated.code, rotated.output]).toEqual([0, expect.stringMatching(/0 secrets were re-encrypted/)]);
    const again = await startProcess(settings);
    expect(await again.end("SIGTERM")).toBe(0);
  },
  STARTS_MS,
);
