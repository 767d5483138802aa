import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";
import type { PortfolioStores } from "./portfolio-stores.js";

/** The sites of a client of an account; null: all of them. */
export interface ChosenSites {
  readonly accountId: string;
  readonly siteIds: readonly string[] | null;
}

const MAX_NAMED = 20;

/** Refuses sites that are not the account's. */
export const refuseForeignSites = async (
  { sites }: Pick<PortfolioStores, "sites">,
  { accountId, siteIds }: ChosenSites,
): Promise<Refusal | null> => {
  if (siteIds === null) return null;
  const known = new Set((await sites.ofAccount(accountId)).map((site) => site.id));
  const unknown = siteIds.filter((id) => !known.has(id));
  return unknown.length === 0
    ? null
    : invalid(
        `sites holds ${unknown.slice(0, MAX_NAMED).map(quote).join(", ")}, which do not belong to the account; check the ids`,
      );
};
