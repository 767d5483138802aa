import { open } from "node:fs/promises";

/** Puts new names in a folder on the disk: a synced file may otherwise be there without its name. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
