import { IS_NOT_OVER, isShown } from "../../../dispatch/storage/dispatch-conditions.js";
import { LISTED_AFTER_END_MS } from "../../../openadr/domain/ven.js";
import { account, accountName, milliseconds } from "../alarm-rule.js";
import { type FactsOf, text } from "../facts.js";

/** A VEN of OpenADR 2.0a in a finding. */
export const ven = { ...account, id: text, ven_id: text };

export const venName = (row: FactsOf<typeof ven>): string =>
  `VEN ${row.ven_id} (${row.id}) of account ${accountName(row)}`;

/** Condition on a dispatch: it is not over at $1, or was cancelled so recently that VENs are still informed. */
export const STILL_COUNTS = `${IS_NOT_OVER} and ${isShown(`$1::timestamptz - ${milliseconds(LISTED_AFTER_END_MS)}`)}`;
