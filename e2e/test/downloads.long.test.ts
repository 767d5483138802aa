import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { newParticipant, type Participant } from "./support/participant.js";
import { type ServiceProcess, temporaryFolder } from "./support/service-process.js";
import { webService } from "./support/web-service.js";

const run = promisify(execFile);

const USES_ALL = `
  import { createParticipant } from "@curtail/client";
  import { openSpool } from "@curtail/spool";
  const participant = createParticipant({ url: process.env.CURTAIL_URL, key: process.env.CURTAIL_API_KEY });
  const { sites } = await participant.listSites();
  const spool = await openSpool("spool");
  console.log(sites.length, spool.state.waiting);
  await spool.close();
`;

describe("what the service hands out", () => {
  let service: ServiceProcess;
  let participant: Participant;
  let folder = "";

  beforeAll(async () => {
    const { path, remove } = await temporaryFolder();
    atEnd(remove);
    folder = path;
    service = await webService();
    participant = await newParticipant(service.url, 1);
  });

  const access = () => ({
    PATH: process.env["PATH"],
    HOME: folder,
    CURTAIL_URL: service.url,
    CURTAIL_API_KEY: participant.key,
  });
  const get = (name: string, at = service.url) => fetch(`${at}/downloads/${name}`);
  const emptyFolder = async (name: string): Promise<string> => {
    const cwd = join(folder, name);
    await mkdir(cwd);
    return cwd;
  };

  test("is what SHA256SUMS says, at production and at the sandbox", async () => {
    const sums = await (await get("SHA256SUMS")).text();
    const names = sums.split("\n").flatMap((line) => line.split("  ")[1] ?? []);
    expect(names).toEqual([
      expect.stringMatching(/^curtail-cli-[\d.]+\.tgz$/),
      expect.stringMatching(/^curtail-client-[\d.]+\.tgz$/),
      expect.stringMatching(/^curtail-node-red-[\d.]+\.tgz$/),
      expect.stringMatching(/^curtail-spool-[\d.]+\.tgz$/),
      "curtail.mjs",
    ]);
    for (const at of [service.url, service.sandboxUrl])
      for (const name of names) {
        const content = Buffer.from(await (await get(name, at)).arrayBuffer());
        expect(sums).toContain(`${createHash("sha256").update(content).digest("hex")}  ${name}\n`);
      }
    const page = await (await get("")).text();
    for (const name of names) expect(page).toContain(`<a href="${name}">`);
  });

  test("is installed by npm from nothing but the address of the service, and works", async () => {
    const cwd = await emptyFolder("installed");
    writeFileSync(join(cwd, "package.json"), '{"name":"participant","private":true,"type":"module"}');
    const packages = ["client", "spool", "cli", "node-red"].map(
      (name) => `${service.url}/downloads/curtail-${name}.tgz`,
    );
    // No registry: there is nothing else to fetch.
    const options = ["--registry", "http://127.0.0.1:9", "--fetch-retries", "0", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...options, ...packages], { cwd, env: access() });
    expect(readdirSync(join(cwd, "node_modules/@curtail")).sort()).toEqual(["cli", "client", "node-red", "spool"]);
    writeFileSync(join(cwd, "program.js"), USES_ALL);
    expect((await run(process.execPath, ["program.js"], { cwd, env: access() })).stdout).toBe("1 0\n");
    const { stdout } = await run(join(cwd, "node_modules/.bin/curtail"), ["status", "--json"], { cwd, env: access() });
    expect(JSON.parse(stdout)).toMatchObject({ url: service.url, sites: 1 });
  });

  test("the command is one file, which runs as it was downloaded", async () => {
    const cwd = await emptyFolder("downloaded");
    await run("curl", ["--fail", "--silent", "-O", `${service.url}/downloads/curtail.mjs`], { cwd });
    const { stdout } = await run(process.execPath, ["curtail.mjs", "status", "--json"], { cwd, env: access() });
    expect(JSON.parse(stdout)).toMatchObject({ url: service.url, sites: 1 });
    // As a command: under a name without an ending.
    await run("sh", ["-c", "mv curtail.mjs curtail && chmod +x curtail"], { cwd });
    expect((await run("./curtail", ["--version"], { cwd, env: access() })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
