import { useEffect } from "react";
import { useSignedIn } from "../api/session.js";

/** Starts the service worker once the page is idle, and ends the notifications of the user who used this browser before. */
export const usePush = (): void => {
  const { user, session } = useSignedIn();
  const [userId, sessionId] = [user.id, session.id];
  useEffect(() => {
    const timer = setTimeout(() => void keep({ userId, sessionId }), AFTER_MS);
    return () => clearTimeout(timer);
  }, [userId, sessionId]);
};

/** The first page has its data by then. */
const AFTER_MS = 3000;

/** Without a service worker, for example over http, pages lack only notifications and the offline page. */
const keep = async (person: { readonly userId: string; readonly sessionId: string }): Promise<void> => {
  try {
    const { keepPush } = await import("../api/push.js");
    await keepPush(person);
  } catch {
    // Tried again on the next page that is loaded.
  }
};
