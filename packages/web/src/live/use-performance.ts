import { requestPath } from "@curtail/client";
import type { DispatchPerformance, operator, SitePerformance } from "@curtail/contract";
import { useEffect, useState } from "react";
import { CONSOLE, OPERATOR } from "../api/call.js";
import { follow, type StreamState } from "./event-stream.js";

interface Performance<Site> {
  readonly sites: readonly (Site & { readonly site_id: string })[];
}

export interface Live<P> {
  /** null until the first measurement. */
  readonly performance: P | null;
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
      onState: (state) => change(({ performance }) => ({ performance, state })),
      // After `failed` the stream ends and reconnects.
      onEvent: ({ event, data }) =>
        event !== "failed" &&
        change(({ state, performance }) => ({ state, performance: merged(performance, event, JSON.parse(data) as P) })),
    });
  }, [base, dispatchId, of]);
  return live.of === of ? live : nothing();
};

const nothing = <P>(): Live<P> => ({ performance: null, state: "connecting" });

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
