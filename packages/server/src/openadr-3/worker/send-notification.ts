import { randomBytes } from "node:crypto";
import { notificationBody } from "@curtail/openadr-3";
import type { SentAttempt } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import { attemptPost, withoutResponse } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import type { ClaimedNotification } from "../domain/notification.js";
import type { Callback } from "../operations/verify-callbacks.js";

/** The specification asks not to follow redirects. */
const NO_REDIRECTS = 0;

/** One attempt of a notification. */
export const sendNotification =
  (client: WebhookClient, clock: Clock) =>
  async (notification: ClaimedNotification): Promise<SentAttempt> => {
    const { url, bearerToken } = notification;
    const at = clock.now();
    const authorization = bearerToken === null ? {} : { authorization: `Bearer ${bearerToken}` };
    const headers = { "content-type": "application/json", ...authorization };
    const post = { url: new URL(url), headers, body: notificationBody(notification) };
    return { at, ...withoutResponse(await attemptPost(post, { client, maxRedirects: NO_REDIRECTS })) };
  };

const ECHO_BYTES = 24;

/** Asks an address to send a random value back. The client's token is not sent: the address may not be the client's. */
export const challengeCallback =
  (client: WebhookClient, clock: Clock) =>
  async ({ url: text }: Callback): Promise<SentAttempt> => {
    const echo = randomBytes(ECHO_BYTES).toString("hex");
    const url = new URL(text);
    url.searchParams.append("echo", echo);
    const at = clock.now();
    const get = { method: "GET", url, headers: {}, body: "" } as const;
    const answer = await attemptPost(get, { client, maxRedirects: NO_REDIRECTS });
    const attempt = { at, ...withoutResponse(answer) };
    if (!attempt.ok) return attempt;
    if (attempt.status !== 200) return { ...attempt, ok: false, error: `status_${attempt.status}` };
    return (answer.responseBody ?? "").includes(echo) ? attempt : { ...attempt, ok: false, error: "no_echo" };
  };
