import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSpool, type Spool, SpoolFull, SpoolInUse } from "@curtail/spool";
import { CommandFailure } from "../admin-io.js";
import { unusable } from "../whole-file.js";
import type { Kind } from "./upload-readings.js";

/** Opens the spool of one kind of readings. It refuses more than its limit, so that nothing is dropped. */
export const openReadings = async (folder: string, kind: Kind): Promise<Spool> => {
  try {
    // Readings are the business of this user only.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await openSpool(join(folder, kind), { whenFull: "refuse" });
  } catch (error) {
    if (!(error instanceof SpoolInUse)) throw unusable(folder, "written", { error });
    const message = `${error.message}. Another upload from standard input runs: wait for it, or give this one a folder of its own with --spool FOLDER`;
    throw new CommandFailure(message, undefined, { cause: error });
  }
};

/** Appends records in their order; returns when all are stored permanently. */
export const appendAll = async (
  spool: Spool,
  records: readonly string[],
  {
    onFirst,
    waitForRoom,
  }: {
    /** Called with the position of the first record as soon as it is stored. */
    readonly onFirst: (position: number) => void;
    /** Called while the spool holds its limit. */
    readonly waitForRoom: () => Promise<void>;
  },
): Promise<void> => {
  let isFirst = true;
  for (let left = records; left.length > 0; ) {
    const results = await Promise.allSettled(left.map((record) => spool.append(record)));
    const failed = results.find((each) => each.status === "rejected")?.reason as unknown;
    if (failed !== undefined && !(failed instanceof SpoolFull)) throw failed;
    if (isFirst && results[0]?.status === "fulfilled") {
      onFirst(results[0].value);
      isFirst = false;
    }
    left = left.filter((_, index) => results[index]?.status === "rejected");
    if (left.length > 0) await waitForRoom();
  }
};
