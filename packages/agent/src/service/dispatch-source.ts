import { type Client, ErrorResponse, errorResponse } from "@curtail/client";
import { type Dispatch, listDispatches } from "@curtail/contract";
import type { DispatchWindow } from "../control/dispatch-window.js";
import { windowsBySite } from "../control/dispatch-window.js";

/** The current dispatches by site, or why the service could not be asked. */
export type DispatchNews =
  | { readonly windows: ReadonlyMap<string, readonly DispatchWindow[]>; readonly serviceTimeMs: number | null }
  | { readonly fault: string; readonly retryAfterMs: number };

/** Asks for the dispatches. */
export interface DispatchSource {
  ask(signal: AbortSignal): Promise<DispatchNews>;
}

/** Each answer is the whole state: nothing needs to be remembered, and no change can be missed. */
export const dispatchSource = (client: Client): DispatchSource => ({
  async ask(signal) {
    try {
      const response = await client.send(listDispatches, { signal });
      if (!response.ok) return refusal(await errorResponse(listDispatches, response));
      const { dispatches } = (await response.json()) as { readonly dispatches: readonly Dispatch[] };
      const date = Date.parse(response.headers.get("date") ?? "");
      return { windows: windowsBySite(dispatches), serviceTimeMs: Number.isNaN(date) ? null : date };
    } catch (error) {
      return error instanceof ErrorResponse ? refusal(error) : { fault: messageOf(error), retryAfterMs: 0 };
    }
  },
});

const refusal = ({ status, reason, retryAfterSeconds }: ErrorResponse): DispatchNews => ({
  fault: `the service returned ${status}${reason === null ? "" : `: ${reason}`}`,
  retryAfterMs: (retryAfterSeconds ?? 0) * 1000,
});

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
};

/** `fetch failed` says nothing; its cause does. */
const reasonOf = (cause: Error): string => (cause.cause instanceof Error ? cause.cause.message : cause.message);
