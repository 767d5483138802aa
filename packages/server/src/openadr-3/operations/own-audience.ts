import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";
import type { Audience } from "../domain/own-object.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";

const MAX_NAMED = 20;
const KINDS = ["accounts", "sites"] as const;

/** Refuses an audience with accounts or sites that there are none of: nobody would see it. */
export const refuseAudience = async (
  { openadr3Own }: Pick<Openadr3Stores, "openadr3Own">,
  audience: Audience,
): Promise<Refusal | null> => {
  for (const kind of KINDS) {
    const unknown = await openadr3Own.unknown(kind, audience[kind]);
    if (unknown.length > 0)
      return invalid(
        `targets.${kind} holds ${unknown.slice(0, MAX_NAMED).map(quote).join(", ")}, which do not exist; check the ids`,
      );
  }
  return null;
};
