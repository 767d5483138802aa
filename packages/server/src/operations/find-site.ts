import { notFound, type Result } from "../domain/refusal.js";
import { notDisplayed, type Site } from "../domain/site.js";
import type { Stores } from "./ports.js";

/**
 * The site whose data somebody looks at; `within`: the account whose people look, null for operators. Participants' people
 * get to see an own site once its display is enabled.
 */
export const findSite = async (
  { sites }: Pick<Stores, "sites">,
  id: string,
  within: string | null,
): Promise<Result<Site>> => {
  const site = await sites.find(id, within);
  if (site === null) return notFound("site");
  return within !== null && site.displayedSince === null ? notDisplayed() : site;
};
