import type { participantConsole } from "@curtail/contract";
import { byName } from "../format/name-order.js";
import { deliveredShare } from "./delivered-share.js";

type Dispatch = Pick<participantConsole.AccountDispatch, "sites">;
type Site = Pick<participantConsole.SiteOverview, "id" | "name" | "stale">;

/** A site of the account in a dispatch. */
export interface OwnRow {
  readonly id: string;
  readonly name: string;
  readonly deliveredKw: number | null;
  readonly committedKw: number | null;
  /** Of its own commitment; null: not measured. */
  readonly share: number | null;
  /** kW below its share; 0 where it is close enough, null: not measured. */
  readonly belowKw: number | null;
  readonly isStale: boolean;
}

/** From this share on, a site needs no look. */
const ENOUGH = 0.95;

/** The sites of a dispatch: those that are not measured, then those furthest below their share. */
export const ownRows = ({ sites: called }: Dispatch, sites: readonly Site[]): readonly OwnRow[] => {
  const byId = new Map(sites.map((site) => [site.id, site]));
  const rows = called.flatMap(({ site_id, commitment_kw, delivered_kw }) => {
    const site = byId.get(site_id);
    return site === undefined ? [] : [ownRow(site, commitment_kw, delivered_kw)];
  });
  const rank = ({ belowKw }: OwnRow): number => belowKw ?? Number.POSITIVE_INFINITY;
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? byName(a.name, b.name) : rank(b) - rank(a)));
};

const ownRow = ({ id, name, stale }: Site, committedKw: number | null, deliveredKw: number | null): OwnRow => {
  const share = deliveredShare(deliveredKw, committedKw);
  const isEnough = share !== null && share >= ENOUGH;
  return {
    id,
    name,
    deliveredKw,
    committedKw,
    share,
    belowKw: share === null ? null : isEnough ? 0 : (committedKw ?? 0) - (deliveredKw ?? 0),
    isStale: stale,
  };
};
