import { MAX_PAGE } from "@curtail/openadr-3";
import type { ObjectStore } from "./object-ports.js";

/** Names of the programs in production that every VEN sees, the oldest first: a page of them. */
export const publicProgramNames = async (objects: Pick<ObjectStore, "search">): Promise<readonly string[]> => {
  const found = await objects.search({
    environment: "production",
    objectType: "PROGRAM",
    seenBy: { venId: null, targets: [] },
    targets: [],
    withUntargeted: true,
    skip: 0,
    limit: MAX_PAGE,
  });
  return found.flatMap(({ name }) => name ?? []);
};
