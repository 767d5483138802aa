import { requestPath } from "@curtail/client";
import type { DispatchPerformance, operator, SitePerformance } from "@curtail/contract";
import { useEffect, useState } from "react";
import { CONSOLE, OPERATOR } from "../api/call.js";
import { follow, type StreamState } from "./event-stream.js";

interface Performance<Site> {
  readonly sites: readonly (Site & { readonly site_id: string })[];
}

/** How far the measurement of a dispatch has come while the service loads its readings. */
export interface Preparing {
  readonly measured_sites: number;
  readonly sites: number;
  /** Of the sites measured so far; only operators' streams have one. */
  readonly curve?: operator.PortfolioCurve["curve"];
}

export interface Live<P> {
  /** null until the first measurement. */
  readonly performance: P | null;
  /** null: the performance is that of all sites. */
  readonly preparing: Preparing | null;
  readonly state: StreamState;
}

const useStream = <P extends Performance<unknown>>(base: string, dispatchId: string): Live<P> => {
  const of = `${base} ${dispatchId}`;
  const [live, setLive] = useState({ of, ...nothing<P>() });
  useEffect(() => {
    // Discards data of the previous dispatch.
    const change = (to: (before: Live<P>) => Live<P>) =>
      setLive((before) => ({ of, ...to(before.of === of ? before : nothing<P>()) }));
    return follow(base + requestPath("/dispatches/{id}/performance/stream", { params: { id: dispatchId } }), {
      onState: (state) => change((before) => ({ ...before, state })),
      // After `failed` the stream ends and reconnects.
      onEvent: ({ event, data }) =>
        event !== "failed" && change((before) => ({ state: before.state, ...told(before, event, JSON.parse(data)) })),
    });
  }, [base, dispatchId, of]);
  return live.of === of ? live : nothing();
};

const nothing = <P>(): Live<P> => ({ performance: null, preparing: null, state: "connecting" });

const told = <P extends Performance<unknown>>(
  before: Live<P>,
  event: string | undefined,
  data: unknown,
): Pick<Live<P>, "performance" | "preparing"> => {
  if (event !== "preparing") return { performance: merged(before.performance, event, data as P), preparing: null };
  const { performance, ...preparing } = data as Preparing & { readonly performance: P };
  // A reading that starts again must not take away what is known of all sites.
  if (before.performance !== null && before.preparing === null) return before;
  return { performance: extended(before.performance, performance), preparing };
};

/** The same with sites that were measured meanwhile. */
const extended = <P extends Performance<unknown>>(before: P | null, part: P): P => {
  const news = new Set(part.sites.map(({ site_id }) => site_id));
  return { ...part, sites: [...(before?.sites ?? []).filter(({ site_id }) => !news.has(site_id)), ...part.sites] };
};

/** An update has the totals and only the sites that changed. */
const merged = <P extends Performance<unknown>>(before: P | null, event: string | undefined, news: P): P => {
  if (before === null || event !== "change") return news;
  const changed = new Map(news.sites.map((site) => [site.site_id, site]));
  return { ...news, sites: before.sites.map((site) => changed.get(site.site_id) ?? site) };
};

export type OperatorPerformance = operator.OperatorDispatchPerformance;
export type OwnPerformance = DispatchPerformance;
export type { SitePerformance };

/** Live performance of a dispatch, for operators. */
export const useOperatorPerformance = (dispatchId: string): Live<OperatorPerformance> =>
  useStream<OperatorPerformance>(OPERATOR, dispatchId);
/** Live performance of the user's own sites. */
export const useOwnPerformance = (dispatchId: string): Live<OwnPerformance> =>
  useStream<OwnPerformance>(CONSOLE, dispatchId);
