import type { RowOf, TableColumns } from "../../platform/files/table-file.js";
import type { Evidence } from "../domain/evidence.js";
import { evidenceToWire } from "./wire-evidence.js";

/** Columns of the file of evidence. */
export const EVIDENCE_COLUMNS = {
  dispatch_id: "word",
  account_id: "word",
  account_name: "name?",
  site_id: "word?",
  at: "time",
  local_time: "word",
  channel: "word",
  what: "word",
  modification_number: "integer?",
  after_end: "word?",
  number: "integer?",
  status: "integer?",
  address: "name?",
  url: "name?",
  ven_id: "name?",
  opt: "word?",
  reason: "word?",
  error: "name?",
  recipients: "name?",
  detail: "name",
} as const satisfies TableColumns;

/** What a row has besides the entry. */
interface RowContext {
  readonly dispatchId: string;
  readonly accountNameAt: (accountId: string, at: Date) => string | null;
  readonly localTime: (at: Date) => string;
}

export const evidenceToRow = (
  item: Evidence,
  { dispatchId, accountNameAt, localTime }: RowContext,
): RowOf<typeof EVIDENCE_COLUMNS> => {
  const { channel, what, detail } = evidenceToWire(item);
  return {
    dispatch_id: dispatchId,
    account_id: item.accountId,
    account_name: accountNameAt(item.accountId, item.at),
    site_id: item.siteId,
    at: item.at.getTime(),
    local_time: localTime(item.at),
    channel,
    what,
    modification_number: detail.modification_number ?? null,
    after_end: detail.after_end === undefined ? null : String(detail.after_end),
    number: detail.number ?? null,
    status: detail.status ?? null,
    address: detail.address ?? null,
    url: detail.url ?? null,
    ven_id: detail.ven_id ?? detail.client_name ?? null,
    opt: detail.opt ?? null,
    reason: detail.reason ?? null,
    error: detail.error ?? null,
    recipients: detail.recipients?.map(({ name, email }) => `${name} <${email}>`).join(", ") ?? null,
    detail: JSON.stringify(detail),
  };
};
