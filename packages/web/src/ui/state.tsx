import type { ReactNode } from "react";
import { faultWords } from "./fault.js";
import { useConnected } from "./use-connected.js";

export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

/** Shows the data of a query, or its state. Earlier data stays visible if a later request fails. */
export const Answered = <T,>({
  of,
  children,
}: {
  readonly of: Asked<T>;
  readonly children: (data: T) => ReactNode;
}) => {
  if (of.data === undefined) return of.error === null ? <Waiting /> : <Fault error={of.error} />;
  return (
    <>
      {of.error !== null && <Fault error={of.error} />}
      {children(of.data)}
    </>
  );
};

export const Waiting = () => (
  <div role="status" className="animate-pulse px-4 py-8 text-center text-muted">
    {useConnected() ? "Loading…" : "Not connected, retrying…"}
  </div>
);

export const Fault = ({ error }: { readonly error: Error }) => (
  <div role="alert" className="my-2 rounded-lg bg-bad-soft px-4 py-3 text-bad">
    {faultWords(error)}
  </div>
);

/** Placeholder of an empty list; says what to do. */
export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <div className="px-4 py-8 text-center text-muted">{children}</div>
);
