import type { Scope } from "@curtail/openadr-3";
import type { Openadr3Client } from "../domain/client.js";

/** Who sent a request, and what the token allows. */
export interface Openadr3Caller {
  readonly client: Openadr3Client;
  readonly scopes: readonly Scope[];
}

/** Whether the caller sees everything. */
export const isBusinessLogic = ({ client }: Openadr3Caller): boolean => client.role === "bl";
