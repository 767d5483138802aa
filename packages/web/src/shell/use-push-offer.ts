import { say } from "@curtail/words/page";
import { useHint, useSignedIn } from "../api/session.js";
import { useFormChange } from "../api/use-change.js";
import { faultWords } from "../ui/fault.js";

interface PushOffer {
  readonly turnOn: () => void;
  readonly decline: () => void;
  readonly isPending: boolean;
  /** Why it could not be turned on. */
  readonly error: string | null;
}

/** Whether this browser can notify and was never asked. */
const isUnasked = (): boolean =>
  window.isSecureContext &&
  "serviceWorker" in navigator &&
  "PushManager" in window &&
  "Notification" in window &&
  Notification.permission === "default";

/** The offer to turn on notifications in this browser; null if there is none to make. */
export const usePushOffer = (): PushOffer | null => {
  const { user, session } = useSignedIn();
  const { isDismissed, dismiss } = useHint("push");
  const { run, isPending, error } = useFormChange(
    async () => {
      // Loaded by the press: a first page does without it.
      const { turnOnHere } = await import("../api/push.js");
      await turnOnHere({ userId: user.id, sessionId: session.id });
    },
    { done: say("Notifications are on in this browser."), after: () => void dismiss(true) },
  );
  // A refusal of the browser is shown until the page is left.
  if (isDismissed || !(isUnasked() || error !== null || isPending)) return null;
  return {
    turnOn: () => run(undefined),
    decline: () => void dismiss(true),
    isPending,
    error: error === null ? null : faultWords(error),
  };
};
