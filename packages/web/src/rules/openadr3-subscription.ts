import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { ago } from "../format/time.js";

type Subscription = participantConsole.OwnOpenadr3Client["subscriptions"][number];

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** How the last notification of a subscription went, in words. */
export const lastCallback = (
  { last_attempt }: Pick<Subscription, "last_attempt">,
  now: Date,
): { readonly tone: "good" | "bad" | "neutral"; readonly words: string } => {
  if (last_attempt === null) return { tone: "neutral", words: say("not notified yet") };
  const { at, status, error } = last_attempt;
  if (error === null && isSuccess(status)) return { tone: "good", words: say("notified {ago}", { ago: ago(at, now) }) };
  return {
    tone: "bad",
    words:
      status === null
        ? say("failed {ago}: {why}", { ago: ago(at, now), why: error ?? say("no response") })
        : say("failed {ago}: status {status}", { ago: ago(at, now), status }),
  };
};
