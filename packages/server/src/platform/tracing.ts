/** Whether the span is about a request that came in, one that was sent, or neither. */
export type SpanKind = "server" | "client" | "internal";

/** Each span below a change of a dispatch. docs/tracing.md describes them; a test compares both. */
export const SPANS = {
  "webhook attempt": "client",
  "participant poll": "server",
  "ven poll 2.0a": "server",
  "ven poll 3.1": "server",
  "first reading below target": "internal",
} as const satisfies Readonly<Record<string, SpanKind>>;

export type SpanName = keyof typeof SPANS;

/** Attributes of these spans and of requests. None holds a secret, a meter's value, an address or a person's name. */
export const SPAN_ATTRIBUTES = [
  "curtail.account.id",
  "curtail.delivery.id",
  "curtail.dispatch.id",
  "curtail.dispatch.modification",
  "curtail.event",
  "curtail.openadr3.client.id",
  "curtail.read",
  "curtail.resend",
  "curtail.site.id",
  "curtail.ven.id",
  "curtail.webhook.id",
  "error.type",
  "http.request.method",
  "http.request.resend_count",
  "http.response.status_code",
  "http.route",
] as const;

export type SpanAttributes = {
  readonly [Name in (typeof SPAN_ATTRIBUTES)[number]]?: string | number | boolean | null | undefined;
};

/** The change of a dispatch that a span belongs to. */
export interface TracedChange {
  readonly dispatchId: string;
  /** The same for all that follow this change, and asked for only once the change is committed. */
  readonly change: string;
  /** No change after this causes it; null: the newest one does. */
  readonly until: Date | null;
}

/** What a span says once it is over. */
export interface SpanEnd {
  readonly endsAt: Date;
  readonly attributes: SpanAttributes;
  /** A code for what failed; null: nothing. */
  readonly error: string | null;
}

export interface WholeSpan extends SpanEnd {
  readonly startsAt: Date;
}

/** A span that is not over. */
export interface OpenSpan {
  /** The `traceparent` of requests that it sends. */
  readonly traceparent: string;
  end(end: SpanEnd): void;
}

/** The change that notifies: the newest one up to the notice. */
export const noticedChange = (dispatchId: string, noticedAt: Date): TracedChange => ({
  dispatchId,
  change: `notice ${noticedAt.getTime()}`,
  until: noticedAt,
});

/** The change that led to a modification. */
export const modifiedBy = (dispatchId: string, modificationNumber: number): TracedChange => ({
  dispatchId,
  change: `modification ${modificationNumber}`,
  until: null,
});

/** What is traced, if the settings say so. Nothing here throws, waits for an exporter or keeps more than it may. */
export interface Tracing {
  /** Records a span below the request that changed a dispatch. */
  note(change: TracedChange, name: SpanName, span: WholeSpan): void;
  /** Begins one; null if none is recorded, or the request is not found soon. */
  begin(change: TracedChange, name: SpanName, startsAt: Date): Promise<OpenSpan | null>;
  /** Begins the span of a request that may change something; `parent` is its `traceparent`. */
  beginRequest(route: string, method: string, parent: string | null, startsAt: Date): OpenSpan;
}

/** Where the requests are found that changed dispatches. */
export interface TraceStore {
  /** The trace context of the request; null if it was not traced. */
  causeOf(change: TracedChange): Promise<string | null>;
  /** Whether this is the first process that noticed it of the dispatch. */
  claimBelowTarget(dispatchId: string, at: Date): Promise<boolean>;
}
