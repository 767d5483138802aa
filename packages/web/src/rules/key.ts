import type { operator } from "@curtail/contract";

type ApiKey = Pick<operator.ApiKey, "state" | "environment">;

/** Whether a key is accepted, or may yet be: one that has ended is not revoked. */
export const isRevocable = ({ state }: Pick<ApiKey, "state">): boolean => state === "active" || state === "unclaimed";

/** Whether a key reads dispatches of production. */
export const isInUse = ({ state, environment }: ApiKey): boolean => state === "active" && environment === "production";
