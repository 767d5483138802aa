import { notFound, type Result } from "../domain/refusal.js";
import type { Site } from "../domain/site.js";
import type { Stores } from "./ports.js";

/**
 * The site that somebody looks at; `within`: the account whose people look, null for operators. What participants'
 * people do not get to see is decided here, and answered like an unknown site.
 */
export const findSite = async (
  { sites }: Pick<Stores, "sites">,
  id: string,
  within: string | null,
): Promise<Result<Site>> => (await sites.find(id, within)) ?? notFound("site");
