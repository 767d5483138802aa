import { join } from "node:path";
import { copyFolder, madeOnce } from "@curtail/testing/made-once";
import { inject } from "vitest";
import { startProcess, type TemporaryFolder, temporaryFolder, underLoad } from "./service-process.js";

/** A temporary folder with a data directory in which the service has run once. */
export interface PreparedFolder extends TemporaryFolder {
  readonly dataDir: string;
}

/**
 * For tests that do not concern the first start: a copy takes a tenth of the time of initdb, the migrations and the
 * certificate authority. It has no user, and no operator token except the configured one.
 *
 * @param on in memory, a start takes a tenth less of the processor; on a disk, writes take longer, so that kills find more moments
 */
export const preparedFolder = async (on: "disk" | "memory" = "disk"): Promise<PreparedFolder> => {
  const folder = await (on === "disk" ? temporaryFolder() : temporaryFolder(inject("fastestFolder")));
  const dataDir = join(folder.path, "data");
  await copyFolder(await (preparing ??= madeOnce("service-data", runOnce)), dataDir);
  return { ...folder, dataDir };
};

/** Concurrent tests of a file wait for the same one. */
let preparing: Promise<string> | undefined;

const runOnce = async (dataDir: string): Promise<void> => {
  const service = await startProcess(underLoad(dataDir));
  await service.end("SIGTERM");
};
