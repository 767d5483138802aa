import {
  SpanKind as ApiSpanKind,
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { CausesOfChanges } from "../causes-of-changes.js";
import { traceContextOf } from "../trace-context.js";
import {
  type OpenSpan,
  SPANS,
  type SpanAttributes,
  type SpanEnd,
  type SpanKind,
  type SpanName,
  type TracedChange,
  type Tracing,
  type WholeSpan,
} from "../tracing.js";

const KINDS: Readonly<Record<SpanKind, ApiSpanKind>> = {
  internal: ApiSpanKind.INTERNAL,
  server: ApiSpanKind.SERVER,
  client: ApiSpanKind.CLIENT,
};

/** Makes the spans of OpenTelemetry; what sends them is behind the tracer. */
export class OtlpTracing implements Tracing {
  constructor(
    private readonly tracer: Tracer,
    private readonly causes: CausesOfChanges,
  ) {}

  note(change: TracedChange, name: SpanName, { startsAt, ...end }: WholeSpan): void {
    this.causes.whenFound(change, (cause) => {
      if (cause.take(name, end.error !== null)) finish(this.start(name, cause.traceparent, startsAt), end);
    });
  }

  async begin(change: TracedChange, name: SpanName, startsAt: Date): Promise<OpenSpan | null> {
    const cause = await this.causes.soon(change);
    return cause?.take(name, false) === true ? openSpan(this.start(name, cause.traceparent, startsAt)) : null;
  }

  beginRequest(route: string, method: string, parent: string | null, startTime: Date): OpenSpan {
    const options = { kind: KINDS.server, startTime };
    return openSpan(this.tracer.startSpan(`${method} ${route}`, options, below(parent)));
  }

  private start(name: SpanName, parent: string, startTime: Date): Span {
    return this.tracer.startSpan(name, { kind: KINDS[SPANS[name]], startTime }, below(parent));
  }
}

const below = (traceparent: string | null): Context => {
  const parent = traceparent === null ? null : traceContextOf(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
};

const openSpan = (span: Span): OpenSpan => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    end: (end) => finish(span, end),
  };
};

const finish = (span: Span, { endsAt, attributes, error }: SpanEnd): void => {
  span.setAttributes(given({ ...attributes, "error.type": error }));
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endsAt);
};

const given = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      (each): each is [string, string | number | boolean] => (each[1] ?? null) !== null,
    ),
  );
