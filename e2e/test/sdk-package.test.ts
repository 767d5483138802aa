import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { beforeAll, expect, test } from "vitest";

import { expectTyped, LIBRARIES, type PackedLibraries, packLibraries } from "./support/packed-libraries.js";

const run = promisify(execFile);

/** What a bundler adds to a page that uses all of it, minified and compressed. What `verifyWebhook` says of wrong calls took 0.35 KB, compression of uploads 0.28 KB. */
const MOST_GZIPPED_BYTES = 8 * 1024;

const PROGRAMS = {
  "client.mjs": `
    import { createParticipant, curtailmentWindows, NoResponse, upload } from "@curtail/client";
    import { fileState } from "@curtail/client/node";
    const participant = createParticipant({ url: "http://127.0.0.1:9", key: "ctp_1", retry: { attempts: 1 } });
    const failure = await upload(participant, [{ meter_id: "m", interval_seconds: 60, timestamp: "", kW: 1 }]).catch((error) => error);
    console.log(failure instanceof NoResponse, curtailmentWindows([]).length, await fileState("missing.json").load());`,
  "client.cjs": `
    const { createParticipant, NoResponse } = require("@curtail/client");
    const { fileState } = require("@curtail/client/node");
    const participant = createParticipant({ url: "http://127.0.0.1:9", key: "ctp_1", retry: { attempts: 1 } });
    participant.listSites().catch(async (failure) => console.log(failure instanceof NoResponse, 0, await fileState("missing.json").load()));`,
  "spool.mjs": `
    import { drain, openSpool } from "@curtail/spool";
    const spool = await openSpool("from-esm");
    await spool.append("{}");
    const { stored } = await drain(spool, async () => ({ setAside: [] }));
    console.log(stored === 1, spool.state.waiting, null);
    await spool.close();`,
  "spool.cjs": `
    const { openSpool, SpoolInUse } = require("@curtail/spool");
    openSpool("from-cjs").then(async (spool) => {
      const failure = await openSpool("from-cjs").catch((error) => error);
      console.log(failure instanceof SpoolInUse, spool.state.waiting, null);
      await spool.close();
    });`,
} as const;

let libraries: PackedLibraries;
let folder: string;
beforeAll(async () => {
  libraries = await packLibraries();
  folder = libraries.folder;
});

test("the packed libraries bring no other package", () => {
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@curtail"]);
  expect(readdirSync(join(folder, "node_modules/@curtail"))).toEqual(["client", "spool"]);
});

test.for(LIBRARIES)("%s is public, and has its sources and its licence", (name) => {
  const installed = join(folder, "node_modules/@curtail", name);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<string, unknown>;
  for (const member of ["dependencies", "peerDependencies", "devDependencies", "private"])
    expect(manifest).not.toHaveProperty(member);
  expect(existsSync(join(installed, "LICENSE"))).toBe(true);
  for (const map of readdirSync(join(installed, "dist")).filter((each) => each.endsWith(".map"))) {
    const { sources } = JSON.parse(readFileSync(join(installed, "dist", map), "utf8")) as { sources: string[] };
    for (const source of sources) expect(existsSync(join(installed, "dist", source)), source).toBe(true);
  }
});

test.for(Object.entries(PROGRAMS))("%s runs", async ([name, text]) => {
  writeFileSync(join(folder, name), text);
  const { stdout } = await run(process.execPath, [name], { cwd: folder });
  expect(stdout).toBe("true 0 null\n");
});

// With other settings of the compiler, and judged by publint and Are The Types Wrong: sdk-package.long.test.ts.
test("their types work with module and resolution node16", () =>
  expectTyped(libraries, ["node16", "node16", "typed.mts"]));

test("all of the client is small", async () => {
  const input = join(folder, "node_modules/@curtail/client/dist/index.js");
  const building = await rolldown({ input, platform: "browser" });
  const { output } = await building.generate({ format: "esm", minify: true });
  await building.close();
  expect(output).toHaveLength(1);
  expect(gzipSync(output[0].code).length).toBeLessThan(MOST_GZIPPED_BYTES);
});
