import { VERSION } from "./v2022-04-15/endpoints.js";

/** Paths of the interfaces below the address of a service. */
export const BASE_PATHS = {
  participant: `/${VERSION}`,
  operator: "/operator/v1",
  console: "/console/v1",
  auth: "/auth",
} as const;
