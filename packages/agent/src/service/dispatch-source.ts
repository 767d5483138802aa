import { type Client, ErrorResponse, errorResponse } from "@curtail/client";
import { type Dispatch, listDispatches } from "@curtail/contract";
import { type DispatchWindow, windowsBySite } from "../control/dispatch-window.js";
import { reasonOf } from "../devices/device.js";

/** The current dispatches by site, or why the service could not be asked. */
export type DispatchNews =
  | {
      readonly windows: ReadonlyMap<string, readonly DispatchWindow[]>;
      /** The service's own clock; null: it did not say. */
      readonly serviceTimeMs: number | null;
    }
  | { readonly fault: string; readonly retryAfterMs: number };

const ANSWER_MS = 20_000;
/** A service that asks for more is asked all the same: it may be a proxy's, and a timer of a month ends at once. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Asks for the dispatches. Each answer is the whole state: nothing needs to be remembered, and no change can be missed. */
export const askForDispatches = async (client: Client, stopping: AbortSignal): Promise<DispatchNews> => {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]);
    const response = await client.send(listDispatches, { signal });
    if (!response.ok) return refusal(await errorResponse(listDispatches, response));
    const { dispatches } = (await response.json()) as { readonly dispatches: readonly Dispatch[] };
    const date = Date.parse(response.headers.get("date") ?? "");
    return { windows: windowsBySite(dispatches), serviceTimeMs: Number.isNaN(date) ? null : date };
  } catch (error) {
    return error instanceof ErrorResponse ? refusal(error) : { fault: reasonOf(error), retryAfterMs: 0 };
  }
};

const refusal = ({ status, reason, retryAfter }: ErrorResponse): DispatchNews => ({
  fault: `the service returned ${status}${reason === null ? "" : `: ${reason}`}`,
  retryAfterMs: Math.min((retryAfter ?? 0) * 1000, LONGEST_RETRY_AFTER_MS),
});
