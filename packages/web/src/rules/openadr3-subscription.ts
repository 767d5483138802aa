import type { participantConsole } from "@curtail/contract";
import { ago } from "../format/time.js";

type Subscription = participantConsole.OwnOpenadr3Client["subscriptions"][number];

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** How the last notification of a subscription went, in words. */
export const lastCallback = (
  { last_attempt }: Pick<Subscription, "last_attempt">,
  now: Date,
): { readonly tone: "good" | "bad" | "neutral"; readonly words: string } => {
  if (last_attempt === null) return { tone: "neutral", words: "not notified yet" };
  const { at, status, error } = last_attempt;
  if (error === null && isSuccess(status)) return { tone: "good", words: `notified ${ago(at, now)}` };
  return {
    tone: "bad",
    words: `failed ${ago(at, now)}: ${status === null ? (error ?? "no response") : `status ${status}`}`,
  };
};
