import type { auth, operator } from "@curtail/contract";
import type { Language } from "@curtail/contract/lists/languages";
import { say } from "@curtail/words/page";
import { queryOptions, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { faultWords } from "../ui/fault.js";
import { useNotify } from "../ui/notify.js";
import { ApiError, callAuth } from "./call.js";
import { leave } from "./leave.js";
import { forgetRecentlySeen } from "./recent.js";

export type User = operator.User;
export type Session = auth.Session;
export type Hint = (typeof auth.hints)[number];

export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  readonly recovery_codes_left: number;
  readonly dismissed_hints: readonly Hint[];
  /** Chosen by the user; null: none. */
  readonly language: Language | null;
}

/** The signed-in user; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["/auth", "/session"],
  queryFn: async (): Promise<SignedIn | null> => {
    try {
      return await callAuth("GET", "/session", {});
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** The user, on pages that require a sign-in. */
export const useUser = (): User => useSignedIn().user;

export const useRecoveryCodesLeft = (): number => useSignedIn().recovery_codes_left;

/** Whether the user has put a hint away, and a way to put it away or show it again, on every browser. */
export const useHint = (hint: Hint) => {
  const isDismissed = useSignedIn().dismissed_hints.includes(hint);
  const queries = useQueryClient();
  const notify = useNotify();
  const dismiss = async (dismissed: boolean): Promise<void> => {
    try {
      await callAuth("PUT", "/hints", { body: { hint, dismissed } });
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    } catch (error) {
      notify.bad(faultWords(error as Error));
    }
  };
  return { isDismissed, dismiss };
};

/** The user with the session, on pages that require a sign-in. */
export const useSignedIn = (): SignedIn => {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new ApiError(401, say("Sign in first."));
  return data;
};

/** Ends this session, or all of the user's, and removes what this browser keeps of the user. */
export const useSignOut = (ends: "/sign-out" | "/sign-out-everywhere" = "/sign-out") => {
  const queries = useQueryClient();
  const notify = useNotify();
  return async (): Promise<void> => {
    try {
      await callAuth("POST", ends, {});
    } catch (error) {
      // After a 401 the user is signed out anyway; after any other error the session is still open.
      if (!(error instanceof ApiError && error.status === 401)) return notify.bad(faultWords(error as Error));
    }
    forgetRecentlySeen();
    // Whoever uses this browser next must not see notices to this user; the service no longer sends any in any case.
    await import("./push.js").then(({ endHere }) => endHere()).catch(() => undefined);
    queries.clear();
    leave("/sign-in");
  };
};
