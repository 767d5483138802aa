import { existsSync } from "node:fs";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { vi } from "vitest";
import { operate } from "./participant.js";
import { postmasterPid, type ServiceProcess, startProcess } from "./service-process.js";

export type Victim = "service" | "database" | "both";
export const victims: readonly Victim[] = ["service", "database", "both"];

interface Settings extends Readonly<Record<string, string>> {
  readonly CURTAIL_DATA_DIR: string;
}

/** Kills without warning; the returned function restarts everything, in the same or another process. */
export const kill = async (
  service: ServiceProcess,
  victim: Victim,
  settings: Settings,
): Promise<() => Promise<ServiceProcess>> => {
  const { CURTAIL_DATA_DIR: dataDir } = settings;
  const postmaster = postmasterPid(dataDir);
  if (victim !== "database") await service.end("SIGKILL");
  if (victim !== "service") process.kill(postmaster, "SIGKILL");
  if (victim !== "database") return () => startProcess(settings);
  return async () => {
    await untilRestarted(service.url, dataDir, postmaster);
    return service;
  };
};

/** Backends of the killed one may respond for a moment longer: there must be another. */
const untilRestarted = async (url: string, dataDir: string, killed: number): Promise<void> => {
  const patience = { timeout: 30_000, interval: 50 };
  await vi.waitUntil(
    () => existsSync(join(dataDir, "postgres", "postmaster.pid")) && postmasterPid(dataDir) !== killed,
    patience,
  );
  await vi.waitFor(() => operate(url, operator.listAccounts, { query: { limit: 1 } }), patience);
};
