import { operator } from "@curtail/contract";
import { forEachReach } from "@curtail/contract/lists/channels";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { mapResult } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { shortfallKw } from "../domain/attention.js";
import {
  type AttentionPorts,
  type DispatchAttention,
  dispatchAttention,
  type ReachedAccount,
  type SiteAttention,
} from "../operations/dispatch-attention.js";

export const attentionRoute = (app: FastifyInstance, ports: AttentionPorts): void =>
  serve(app, operator.getDispatchAttention, ({ params }) => mapResult(dispatchAttention(ports, params.id), toWire));

const toWire = (attention: DispatchAttention): operator.DispatchAttention => {
  const { accounts, contacts } = attention;
  const contactOf = (accountId: string) => contacts.get(accountId) ?? null;
  return {
    as_of: formatTimestamp(attention.asOf),
    modification_number: attention.modificationNumber,
    accounts: accounts.length,
    reached: accounts.filter(({ by }) => by.length > 0).length,
    reached_by: forEachReach(
      (channel) => accounts.filter(({ by }) => by.some((each) => each.channel === channel)).length,
    ),
    unreached: attention.unreached.map((account) => ({
      ...accountToWire(account),
      contact: contactOf(account.accountId),
    })),
    worst_sites:
      attention.worstSites?.map((site) => ({ ...siteToWire(site), contact: contactOf(site.accountId) })) ?? null,
  };
};

const accountToWire = ({ accountId, accountName, sites, commitmentKw }: ReachedAccount) => ({
  account_id: accountId,
  account_name: accountName,
  sites,
  commitment_kw: rounded(commitmentKw),
});

const siteToWire = (site: SiteAttention) => {
  const [first = null] = site.account?.by ?? [];
  return {
    site_id: site.siteId,
    site_name: site.siteName,
    account_id: site.accountId,
    account_name: site.account?.accountName ?? site.accountId,
    status: { ...site.status },
    commitment_kw: site.commitmentKw,
    delivered_kw: rounded(site.deliveredKw),
    shortfall_kw: rounded(shortfallKw(site)),
    last_reading_at: momentToWire(site.lastReadingAt),
    reached_by: first?.channel ?? null,
    reached_at: momentToWire(first?.at ?? null),
  };
};
