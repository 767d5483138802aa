import { say } from "@curtail/words/page";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.js";
import { faultWords } from "./fault.js";
import { useConnected } from "./use-connected.js";

export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  /** Asks again. */
  readonly refetch?: () => unknown;
}

/** Shows the data of a query, or its state. Earlier data stays visible if a later request fails. */
export const Answered = <T,>({
  of: { data, error, refetch },
  children,
}: {
  readonly of: Asked<T>;
  readonly children: (data: T) => ReactNode;
}) => {
  if (data === undefined) return error === null ? <Waiting /> : <Fault error={error} onRetry={refetch} />;
  return (
    <>
      {error !== null && <Fault error={error} onRetry={refetch} />}
      {children(data)}
    </>
  );
};

const LATE_MS = 10_000;

const useIsLate = (): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
};

const LINES = ["w-2/5", "w-4/5", "w-3/5"] as const;

/** Takes the place of what is loading, as blocks that do not move: `children`, or three lines. */
export const Waiting = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <Waited />
    {children ?? (
      <div aria-hidden="true" className="grid gap-3 px-4 py-4">
        {LINES.map((width) => (
          <Block key={width} width={width} />
        ))}
      </div>
    )}
  </>
);

/** A value that is not there yet. */
export const Block = ({ width }: { readonly width: string }) => (
  <span className={`block h-4 max-w-full rounded bg-sunken ${width}`} />
);

/** What is said of it: to screen readers at once, to all after ten seconds or while the service is away. */
const Waited = () => {
  const isConnected = useConnected();
  const isLate = useIsLate();
  return (
    <div
      data-waiting=""
      className={isConnected && !isLate ? "sr-only" : "flex flex-wrap items-center gap-3 px-4 pt-3 text-muted"}
    >
      <span role="status">
        {isConnected ? (isLate ? say("Still loading.") : say("Loading…")) : say("Not connected, retrying…")}
      </span>
      {/* Also ends a request that hangs. */}
      {isConnected && isLate && <Button onClick={() => window.location.reload()}>{say("Retry")}</Button>}
    </div>
  );
};

/** What failed and what to do; the rest of the page lives. */
export const Fault = ({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry?: (() => unknown) | undefined;
}) => (
  <div
    role="alert"
    className="my-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-bad-soft px-4 py-3 text-bad"
  >
    <span className="min-w-0">{faultWords(error)}</span>
    {onRetry !== undefined && <Button onClick={() => void onRetry()}>{say("Retry")}</Button>}
  </div>
);

/** Placeholder of an empty list; says what to do. */
export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <div className="px-4 py-8 text-center text-muted">{children}</div>
);
