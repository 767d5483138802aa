import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { root } from "@curtail/docs";
import { atEnd } from "@curtail/testing/at-end";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { packSdk } from "../../scripts/pack-sdk.mjs";
import { temporaryFolder } from "./support/service-process.js";

const run = promisify(execFile);
const command = (name: string): string => join(root, "node_modules/.bin", name);

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

const TYPED = `
  import { createParticipant, type Dispatch, ErrorResponse, type StateStore, watchDispatches, verifyWebhook } from "@curtail/client";
  import { type TelemetryReading, upload, uploadControllableLoad } from "@curtail/client";
  import { fileState } from "@curtail/client/node";
  import { drain, type Spool } from "@curtail/spool";
  export const empty = (spool: Spool) => drain(spool, (readings, options) => upload(participant, readings, options));
  export const load = (spool: Spool, signal: AbortSignal) =>
    drain(spool, (readings, options) => uploadControllableLoad(participant, readings, options), { follow: true, signal });
  export const typed = (spool: Spool) => drain(spool, (readings: readonly TelemetryReading[], options) => upload(participant, readings, options));
  const participant = createParticipant({ url: "https://curtail.example.com", key: "ctp_1" });
  const store: StateStore = fileState("dispatches.json");
  export const first = async (): Promise<Dispatch | undefined> => {
    // @ts-expect-error -- getDispatch takes an object
    void participant.getDispatch("dis_1");
    // @ts-expect-error -- kW is a number
    void participant.uploadTelemetry({ telemetry: [{ meter_id: "m", interval_seconds: 60, timestamp: "", kW: "1" }] });
    for await (const { type, dispatch } of watchDispatches(participant, { store })) {
      // @ts-expect-error -- there is no such change
      if (type === "exploded") return undefined;
      return dispatch;
    }
  };
  export const status = (error: unknown): number | null => (error instanceof ErrorResponse ? error.retryAfter : null);
  export const event = async (): Promise<string> => {
    const verified = await verifyWebhook({ secrets: "whsec_", headers: {}, body: "" });
    return verified.ok ? verified.notice.event : verified.fault;
  };`;

const names = ["client", "spool"] as const;

describe("the libraries as they are packed", () => {
  let folder = "";
  const tarballs = new Map<string, string>();

  beforeAll(async () => {
    const { path, remove } = await temporaryFolder();
    atEnd(remove);
    for (const name of names) tarballs.set(name, await packSdk(name, join(path, "packed")));
    folder = join(path, "installed");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{"name":"participant","private":true}');
    // Offline: a dependency would fail.
    const install = ["install", "--offline", "--no-audit", "--no-fund", ...tarballs.values()];
    execFileSync("npm", install, { cwd: folder, stdio: "pipe" });
  });

  test.for(names)("publint and Are The Types Wrong find no fault in %s", async (name) => {
    const tarball = tarballs.get(name) ?? "";
    await run(command("publint"), [tarball, "--strict"]);
    // Resolution before Node 12 knows no subpaths.
    await run(command("attw"), [tarball, "--profile", "node16", "--no-definitely-typed"]);
  });

  test("they bring no other package", () => {
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@curtail"]);
    expect(readdirSync(join(folder, "node_modules/@curtail"))).toEqual(["client", "spool"]);
  });

  test.for(names)("%s is public, and has its sources and its licence", (name) => {
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

  test.for([
    ["node16", "node16", "typed.mts"],
    ["node16", "node16", "typed.cts"],
    ["nodenext", "nodenext", "typed.mts"],
    ["nodenext", "nodenext", "typed.cts"],
    ["esnext", "bundler", "typed.ts"],
    ["commonjs", "bundler", "typed.ts"],
  ] as const)("its types work with module %s and resolution %s in %s", async ([module, resolution, name]) => {
    writeFileSync(join(folder, name), TYPED);
    const options = { module, moduleResolution: resolution, target: "es2023", lib: ["es2023", "dom"], types: [] };
    const compilerOptions = { ...options, strict: true, noEmit: true, exactOptionalPropertyTypes: true };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
    const { stdout } = await run(command("tsc"), ["-p", "."], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe("");
  });

  test("all of the client is small", async () => {
    const input = join(folder, "node_modules/@curtail/client/dist/index.js");
    const building = await rolldown({ input, platform: "browser" });
    const { output } = await building.generate({ format: "esm", minify: true });
    await building.close();
    expect(output).toHaveLength(1);
    expect(gzipSync(output[0].code).length).toBeLessThan(MOST_GZIPPED_BYTES);
  });
});
