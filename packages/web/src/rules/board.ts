import type { operator } from "@curtail/contract";
import { byName } from "../format/name-order.js";
import { deliveredShare, shareTone } from "./delivered-share.js";
import { settledOrder } from "./settled-order.js";

type Overview = operator.DispatchOverview;

/** How much a person is needed: `none` as long as sites may still be on their way, or deliver enough. */
export type Urgency = "bad" | "warn" | "none";

/** A dispatch in progress, as a row of the board. */
export interface BoardRow {
  readonly dispatch: Overview;
  /** Of the commitment; null: nothing is measured yet. */
  readonly share: number | null;
  /** kW below the commitment, never negative; null: nothing is measured yet. */
  readonly shortKw: number | null;
  readonly isRamping: boolean;
  readonly urgency: Urgency;
  /** null: nobody is notified of it, or it is not counted. */
  readonly notNotified: number | null;
}

export const boardRow = (dispatch: Overview, now: Date): BoardRow => {
  const { delivered_kw, commitment_kw, ramp_until, status_limits } = dispatch;
  const share = deliveredShare(delivered_kw, commitment_kw);
  const isRamping = ramp_until !== null && Date.parse(ramp_until) > now.getTime();
  const tone = share === null || isRamping ? "good" : shareTone(share, status_limits);
  return {
    dispatch,
    share,
    shortKw: delivered_kw === null ? null : Math.max(0, commitment_kw - delivered_kw),
    isRamping,
    urgency: tone === "good" ? "none" : tone,
    notNotified: notNotifiedOf(dispatch),
  };
};

const notNotifiedOf = ({ accounts, accounts_notified }: Overview): number | null =>
  accounts === null || accounts_notified === null ? null : accounts - accounts_notified;

/** Sums over dispatches in progress. What one delivers beyond its commitment offsets nothing of another. */
export interface BoardSum {
  readonly committedKw: number;
  /** null: nothing is measured yet. */
  readonly deliveredKw: number | null;
  readonly share: number | null;
  readonly shortKw: number | null;
  readonly accounts: number;
  readonly notNotified: number;
  readonly trendKw: number | null;
}

export const sumOf = (rows: readonly BoardRow[]): BoardSum => {
  const committedKw = added(rows.map(({ dispatch }) => dispatch.commitment_kw)) ?? 0;
  const deliveredKw = added(rows.map(({ dispatch }) => dispatch.delivered_kw));
  return {
    committedKw,
    deliveredKw,
    share: deliveredShare(deliveredKw, committedKw),
    shortKw: added(rows.map(({ shortKw }) => shortKw)),
    accounts: added(rows.map(({ dispatch, notNotified }) => (notNotified === null ? 0 : dispatch.accounts))) ?? 0,
    notNotified: added(rows.map(({ notNotified }) => notNotified)) ?? 0,
    trendKw: added(rows.map(({ dispatch }) => dispatch.trend_kw)),
  };
};

/** Of those that are known; null without any. */
const added = (values: ReadonlyArray<number | null>): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);

const ranks: Readonly<Record<Urgency, number>> = { bad: 0, warn: 1, none: 2 };

/** Those that need a person first, then by what they lack. */
export const worstFirst = (rows: readonly BoardRow[]): readonly BoardRow[] =>
  rows.toSorted(
    (a, b) =>
      ranks[a.urgency] - ranks[b.urgency] ||
      (b.shortKw ?? 0) - (a.shortKw ?? 0) ||
      byName(a.dispatch.program_name, b.dispatch.program_name) ||
      a.dispatch.start_time.localeCompare(b.dispatch.start_time) ||
      a.dispatch.id.localeCompare(b.dispatch.id),
  );

/** Rows in an order that was settled before; those that it does not know come last. */
export const inOrder = (rows: readonly BoardRow[], order: readonly string[]): readonly BoardRow[] => {
  const known = settledOrder(
    order,
    rows.map(({ dispatch }) => dispatch.id),
  );
  const byId = new Map(rows.map((row) => [row.dispatch.id, row]));
  return known.flatMap((id) => byId.get(id) ?? []);
};
