import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { commitmentOf } from "../../dispatch/domain/dispatch.js";
import { excludedToWire, newDispatchFrom, overlapsToWire } from "../../dispatch/http/wire-dispatch.js";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal, mapResult } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { mapInTurns } from "../../platform/turns.js";
import {
  type AccountPreview,
  type DispatchPreview,
  type PreviewPorts,
  previewDispatch,
} from "../operations/preview-dispatch.js";

export const dispatchPreviewRoute = (app: FastifyInstance, ports: PreviewPorts): void =>
  serve(app, operator.previewDispatch, async ({ body }) => {
    const input = newDispatchFrom(body);
    if (isRefusal(input)) return input;
    return mapResult(previewDispatch(ports, input), previewToWire);
  });

const previewToWire = async (preview: DispatchPreview): Promise<operator.DispatchPreview> => ({
  sites: preview.sites.length,
  commitment_kw: rounded(commitmentOf(preview.sites)),
  excluded_sites: excludedToWire(preview),
  overlapping_sites: await overlappingToWire(preview),
  record: preview.isRecord,
  confirm_past: preview.asksForPast,
  accounts: preview.accounts.map((account) => accountToWire(account, preview)),
});

const overlappingToWire = ({ sites, overlaps }: DispatchPreview) => {
  const overlapsOf = overlapsToWire(overlaps);
  const overlapping = sites.filter(({ id }) => overlaps.has(id));
  return mapInTurns(overlapping, (site) => ({
    site_id: site.id,
    name: site.name,
    account_id: site.accountId,
    overlaps: overlapsOf(site),
  }));
};

/** Of a record nobody is notified, so nothing can go wrong with it. */
const accountToWire = (
  { reach, sites, channels, warnings }: AccountPreview,
  { isRecord }: Pick<DispatchPreview, "isRecord">,
) => ({
  account_id: reach.accountId,
  name: reach.accountName,
  sites: sites.length,
  commitment_kw: rounded(commitmentOf(sites)),
  commitment_unknown_sites: sites.filter(({ commitmentKw }) => commitmentKw === null).length,
  channels: isRecord ? [] : channels.map(channelToWire),
  mail_contacts: isRecord ? 0 : reach.mailContacts,
  warnings: isRecord ? [] : [...warnings],
});

const channelToWire = ({ channel, description, lastSeenAt }: AccountPreview["channels"][number]) => ({
  channel,
  description,
  last_seen_at: lastSeenAt === null ? null : formatTimestamp(lastSeenAt),
});
