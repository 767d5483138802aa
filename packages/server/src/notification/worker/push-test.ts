import type { WordsFor } from "../../access/domain/language.js";
import type { SignedIn } from "../../access/operations/sign-in-ports.js";
import { ATTEMPT_MS, type SentAttempt } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import { withoutResponse } from "../../platform/outbound/post-attempt.js";
import { type Result, tooMany } from "../../platform/refusal.js";
import type { Words } from "../../platform/words.js";
import type { PushTarget } from "../domain/push-subscription.js";
import { pushBody } from "./send-personal.js";
import { type SendPush, topicOf } from "./send-push.js";

const TESTS_AT_ONCE = 32;
const PER_USER = 4;
const TTL_SECONDS = 300;

/** Sends test messages to browsers; limits concurrent ones, since each may take as long as an attempt. */
export const boundedPushTests = (push: SendPush, clock: Clock, wordsFor: WordsFor) => {
  const underWay: string[] = [];
  return async (
    { user, language }: Pick<SignedIn, "user" | "language">,
    target: PushTarget,
  ): Promise<Result<SentAttempt>> => {
    const own = underWay.filter((id) => id === user.id).length;
    if (underWay.length >= TESTS_AT_ONCE || own >= PER_USER)
      return tooMany(`${own} test messages are still under way`, ATTEMPT_MS / 1000);
    underWay.push(user.id);
    const at = clock.now();
    try {
      return { at, ...withoutResponse(await push(target, testMessage(wordsFor(language), at))) };
    } finally {
      underWay.splice(underWay.indexOf(user.id), 1);
    }
  };
};

const testMessage = (words: Words, at: Date) => {
  const said = {
    title: words.say("Test notification"),
    body: words.say("Notifications of dispatches will look like this."),
    path: "/you",
  };
  return {
    body: pushBody(words, said, { tag: "test", urgent: false, at }),
    ttlSeconds: TTL_SECONDS,
    urgency: "high" as const,
    topic: topicOf("test"),
  };
};
