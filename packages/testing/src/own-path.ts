import { randomBytes } from "node:crypto";

/**
 * Begins the paths of one receiver. Services of other tests repeat what receivers that are gone did not take, and the system
 * gives their ports to new ones.
 */
export const ownPath = (): string => `/${randomBytes(6).toString("hex")}`;
