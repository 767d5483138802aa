import { createParticipant, followDispatches } from "@curtail/client";
import type { ServiceKey } from "./service-key.js";

/**
 * Wakes a poll by the stream of dispatches. The stream begins again with a key that has changed: the service ends that of
 * a key that was revoked.
 */
export const followWithKey = async (
  key: ServiceKey,
  on: { readonly signal: AbortSignal; readonly onEvent: () => void; readonly onKey: () => void },
): Promise<void> => {
  const participant = createParticipant(key.access);
  while (!on.signal.aborted) {
    const signal = AbortSignal.any([on.signal, key.changed]);
    await followDispatches(participant, { signal, onEvent: on.onEvent });
    if (!on.signal.aborted) on.onKey();
  }
};
