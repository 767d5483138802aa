import type { operator } from "@curtail/contract";

type ApiKey = Pick<operator.ApiKey, "state" | "environment">;

/** Whether a key is or can still become active. */
export const isRevocable = ({ state }: Pick<ApiKey, "state">): boolean => state === "active" || state === "unclaimed";

/** Whether a key is active in production. */
export const isInUse = ({ state, environment }: ApiKey): boolean => state === "active" && environment === "production";

/** Whether the link to a key of production was not opened yet. */
export const isWaiting = ({ state, environment }: ApiKey): boolean =>
  state === "unclaimed" && environment === "production";
