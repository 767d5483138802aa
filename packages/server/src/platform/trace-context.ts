/** A span of any service. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Later versions may add to it. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Reads a `traceparent` (https://www.w3.org/TR/trace-context/); null if it is none. */
export const traceContextOf = (traceparent: string): TraceContext | null => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  return traceId === undefined || spanId === undefined || flags === undefined
    ? null
    : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
};
