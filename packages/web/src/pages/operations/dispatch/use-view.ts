import { say } from "@curtail/words/page";
import { useMemo, useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import type { GapColour } from "../../../chart/curve.js";
import { dispatchHeadline, type Headline, NOT_ISSUED, wholeKw } from "../../../rules/dispatch-headline.js";
import { committedKw, stateOf } from "../../../rules/dispatch-state.js";
import { isJudged } from "../../../rules/judged.js";
import { type CausePart, shortfallCauses } from "../../../rules/shortfall-causes.js";
import type { SiteRow } from "../../../rules/site-row.js";
import type { Dispatch } from "./dispatch.js";
import type { NotNotified } from "./not-notified.js";
import type { ShownResult } from "./shown-result.js";
import type { Known } from "./use-known.js";
import { useRows } from "./use-rows.js";

interface Asked {
  readonly dispatch: Dispatch;
  readonly result: ShownResult;
  readonly version: number | undefined;
  readonly known: Known;
  /** The moment of a replay; null: now. */
  readonly at: Date | null;
}

/** All figures of the page, at one moment. */
export interface DispatchView {
  readonly headline: Headline;
  /** A dispatch that is cancelled or void is not judged. */
  readonly isJudged: boolean;
  readonly rows: readonly SiteRow[];
  readonly causes: readonly CausePart[];
  readonly notNotified: readonly NotNotified[];
  readonly accounts: number;
  readonly modification: number;
  readonly measured: number;
  readonly readingAt: string | null;
  /** null: nothing is lacking. */
  readonly short: { readonly words: string; readonly colour: GapColour } | null;
}

export const useView = ({ dispatch, result, version, known, at }: Asked): DispatchView => {
  const { performance } = result;
  const [openedAt] = useState(() => new Date());
  const shownAt = at ?? (performance === null ? openedAt : new Date(performance.as_of));
  const then = dispatchThen(dispatch, known, at);
  const isRunning = stateOf(then, shownAt) === "in_progress";
  const unnotified = useIds(stateOf(then, shownAt) === "over" ? [] : idsOf(known));
  const rows = useRows({ id: dispatch.id, version, performance, notNotified: unnotified, at });
  const deliveredKw = useDelivered({ dispatch, result, version, at });
  const committed = performance?.totals.commitment_kw ?? committedKw(dispatch);
  const isIssued = at === null || known.state === null || known.state.modification_number !== null || dispatch.record;
  const headline = isIssued
    ? dispatchHeadline(then, { deliveredKw, committedKw: committed }, { now: shownAt, isReplay: at !== null })
    : NOT_ISSUED;
  const shortKw = isRunning ? (headline.shortKw ?? 0) : 0;
  const causes = useMemo(() => shortfallCauses(rows, unnotified, shortKw), [rows, unnotified, shortKw]);
  const isBad = causes.some(({ cause }) => cause === "not_notified");
  return {
    headline,
    isJudged: then.authorized && (at !== null || performance === null || isJudged(performance.state)),
    rows,
    causes,
    notNotified: useNotNotified(known, unnotified, isRunning ? rows : null),
    accounts: isIssued && known.state !== null ? known.state.accounts.length : accountsOf(dispatch),
    modification: known.state?.modification_number ?? dispatch.modification_number,
    measured: useMemo(() => rows.filter(({ delivered_kw }) => delivered_kw !== null).length, [rows]),
    readingAt: useMemo(() => newestOf(rows), [rows]),
    short:
      shortKw > 0
        ? { words: say("{kw} kW short", { kw: wholeKw(shortKw) }), colour: isBad ? "gap-bad" : "gap-warn" }
        : null,
  };
};

const accountsOf = ({ sites }: Dispatch): number => new Set(sites.map(({ account_id }) => account_id)).size;

/** The dispatch as it was agreed at a moment. */
const dispatchThen = (dispatch: Dispatch, { state }: Known, at: Date | null) => {
  if (at === null || state === null || state.start_time === null) return dispatch;
  return { authorized: state.authorized, start_time: state.start_time, end_time: state.end_time };
};

const idsOf = ({ state }: Known): readonly string[] => (state?.not_notified ?? []).map(({ account_id }) => account_id);

/** The same set as long as its ids are the same, so that the rows are not made again each second. */
const useIds = (ids: readonly string[]): ReadonlySet<string> => {
  const key = ids.join(" ");
  return useMemo(() => new Set(key === "" ? [] : key.split(" ")), [key]);
};

const useDelivered = ({ dispatch, result, version, at }: Omit<Asked, "known">): number | null => {
  const query = version === undefined ? {} : { version };
  // The page draws the same curve.
  const asked = useOperator("/dispatches/{id}/performance/curve", { params: { id: dispatch.id }, query });
  const { performance } = result;
  if (at === null) {
    if (performance === null) return null;
    const { totals, state } = performance;
    return state === "in_progress" ? totals.now.reduction_kw : totals.to_date.reduction_kw;
  }
  const ms = at.getTime();
  const cell = asked.data?.curve.findLast(({ timestamp }) => Date.parse(timestamp) <= ms);
  return cell === undefined || ms - Date.parse(cell.timestamp) > CELL_MS ? null : cell.reduction_kw;
};

const CELL_MS = 30_000;

const useNotNotified = (
  { state, attention }: Known,
  ids: ReadonlySet<string>,
  /** Of a running dispatch; null: commitments count. */
  rows: readonly SiteRow[] | null,
): readonly NotNotified[] =>
  useMemo(() => {
    const lacks = new Map<string, number>();
    for (const { account_id, short_kw } of rows ?? [])
      lacks.set(account_id, (lacks.get(account_id) ?? 0) + Math.max(0, short_kw ?? 0));
    const contacts = new Map(attention?.unreached.map(({ account_id, contact }) => [account_id, contact]));
    return (state?.not_notified ?? [])
      .filter(({ account_id }) => ids.has(account_id))
      .map(({ account_id, account_name, sites, commitment_kw }) => ({
        account_id,
        account_name,
        sites,
        kw: rows === null ? commitment_kw : (lacks.get(account_id) ?? commitment_kw),
        contact: contacts.get(account_id),
      }))
      .toSorted((a, b) => b.kw - a.kw);
  }, [state, attention, ids, rows]);

const newestOf = (rows: readonly SiteRow[]): string | null =>
  rows.reduce<string | null>(
    (newest, { reading_at }) => (reading_at !== null && (newest === null || reading_at > newest) ? reading_at : newest),
    null,
  );
