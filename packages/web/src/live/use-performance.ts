import { requestPath } from "@curtail/client";
import type { DispatchPerformance, operator, SitePerformance } from "@curtail/contract";
import { useEffect, useState } from "react";
import { CONSOLE, OPERATOR } from "../api/call.js";
import { follow, type StreamState } from "./event-stream.js";

interface Performance<Site> {
  readonly sites: readonly (Site & { readonly site_id: string })[];
}

export interface Live<P> {
  /** null until the service has measured it. */
  readonly performance: P | null;
  readonly state: StreamState;
}

const useStream = <P extends Performance<unknown>>(base: string, dispatchId: string): Live<P> => {
  const of = `${base} ${dispatchId}`;
  const [live, setLive] = useState({ of, ...nothing<P>() });
  useEffect(() => {
    // What came of another dispatch is not this one's.
    const change = (to: (before: Live<P>) => Live<P>) =>
      setLive((before) => ({ of, ...to(before.of === of ? before : nothing<P>()) }));
    return follow(base + requestPath("/dispatches/{id}/performance/stream", { params: { id: dispatchId } }), {
      onState: (state) => change(({ performance }) => ({ performance, state })),
      // After `failed` the stream ends, and is tried again.
      onEvent: ({ event, data }) =>
        event !== "failed" &&
        change(({ state, performance }) => ({ state, performance: merged(performance, event, JSON.parse(data) as P) })),
    });
  }, [base, dispatchId, of]);
  return live.of === of ? live : nothing();
};

const nothing = <P>(): Live<P> => ({ performance: null, state: "connecting" });

/** A change carries the sums and only those sites that changed. */
const merged = <P extends Performance<unknown>>(before: P | null, event: string | undefined, news: P): P => {
  if (before === null || event !== "change") return news;
  const changed = new Map(news.sites.map((site) => [site.site_id, site]));
  return { ...news, sites: before.sites.map((site) => changed.get(site.site_id) ?? site) };
};

export type OperatorPerformance = operator.OperatorDispatchPerformance;
export type OwnPerformance = DispatchPerformance;
export type { SitePerformance };

/** What the sites of a dispatch deliver, as it changes. */
export const useOperatorPerformance = (dispatchId: string): Live<OperatorPerformance> =>
  useStream<OperatorPerformance>(OPERATOR, dispatchId);
/** The same of the user's own sites. */
export const useOwnPerformance = (dispatchId: string): Live<OwnPerformance> =>
  useStream<OwnPerformance>(CONSOLE, dispatchId);
