import type { operator } from "@curtail/contract";
import { commitmentOf } from "../../dispatch/domain/dispatch.js";
import { excludedToWire, overlapToWire } from "../../dispatch/http/wire-dispatch.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { AccountPreview, DispatchPreview } from "../operations/preview-dispatch.js";

export const previewToWire = (preview: DispatchPreview): operator.DispatchPreview => ({
  sites: preview.sites.length,
  commitment_kw: rounded(commitmentOf(preview.sites)),
  excluded_sites: excludedToWire(preview),
  overlapping_sites: preview.sites.flatMap(({ id, name, accountId }) => {
    const overlaps = preview.overlaps.get(id);
    if (overlaps === undefined) return [];
    return [{ site_id: id, name, account_id: accountId, overlaps: overlaps.map(overlapToWire) }];
  }),
  record: preview.isRecord,
  confirm_past: preview.asksForPast,
  accounts: preview.accounts.map((account) => accountToWire(account, preview)),
});

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
