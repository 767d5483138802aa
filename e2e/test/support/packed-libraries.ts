import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@curtail/docs";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import { packSdk } from "../../../scripts/pack-sdk.mjs";
import { temporaryFolder } from "./service-process.js";

const run = promisify(execFile);
export const command = (name: string): string => join(root, "node_modules/.bin", name);

export const LIBRARIES = ["client", "spool"] as const;

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

/** The libraries as they are packed, and a project in which they are installed. */
export interface PackedLibraries {
  readonly folder: string;
  readonly tarballs: ReadonlyMap<string, string>;
}

/** Packs and installs the libraries in a folder that ends with the test file. */
export const packLibraries = async (): Promise<PackedLibraries> => {
  const tarballs = new Map<string, string>();
  const { path, remove } = await temporaryFolder();
  atEnd(remove);
  for (const name of LIBRARIES) tarballs.set(name, await packSdk(name, join(path, "packed")));
  const folder = join(path, "installed");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"name":"participant","private":true}');
  // Offline: a dependency would fail.
  const install = ["install", "--offline", "--no-audit", "--no-fund", ...tarballs.values()];
  execFileSync("npm", install, { cwd: folder, stdio: "pipe" });
  return { folder, tarballs };
};

/** A program that uses the libraries passes the strict checks of TypeScript under these options. */
export const expectTyped = async (
  { folder }: PackedLibraries,
  [module, resolution, name]: readonly [module: string, resolution: string, name: string],
): Promise<void> => {
  writeFileSync(join(folder, name), TYPED);
  const options = { module, moduleResolution: resolution, target: "es2023", lib: ["es2023", "dom"], types: [] };
  const compilerOptions = { ...options, strict: true, noEmit: true, exactOptionalPropertyTypes: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
  const { stdout } = await run(command("tsc"), ["-p", "."], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe("");
};
