import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Dispatch, Resend } from "@curtail/client";
import { basePaths } from "@curtail/client";

/** A webhook request, but for its time and signature. */
export interface Notice {
  readonly id: string;
  readonly event: "dispatch.create" | "dispatch.update";
  readonly dispatchId: string;
  readonly modification: number;
  /** Id of the resend that asked for it once more; null the first time. */
  readonly resend: string | null;
  readonly body: string;
}

/** Last modification that was forwarded, by the id of the dispatch. */
export type Forwarded = Readonly<Record<string, number>>;

/** The notice of a dispatch; null if its latest modification was forwarded before. */
export const noticeOf = (
  { id, modification_number }: Dispatch,
  forwarded: Forwarded,
  target: string,
): Notice | null => {
  const last = forwarded[id];
  if (last !== undefined && last >= modification_number) return null;
  const event = last === undefined ? "dispatch.create" : "dispatch.update";
  return noticeFor({ event, dispatchId: id, modification: modification_number, resend: null }, target);
};

/** The notice that was resent to a webhook, under the id that it had here. */
export const noticeOfResend = (
  { id: resend, event, dispatch_id, modification_number }: Resend,
  target: string,
): Notice => noticeFor({ event, dispatchId: dispatch_id, modification: modification_number, resend }, target);

const noticeFor = (about: Omit<Notice, "id" | "body">, target: string): Notice => {
  const { event, dispatchId, modification } = about;
  const resource = `${basePaths.participant}/dispatches/${dispatchId}`;
  const id = deliveryId(`${target} ${dispatchId} ${modification}`);
  return { ...about, id, body: JSON.stringify({ event: { name: event }, resource }) };
};

/** The same for each attempt, also after a restart. */
const deliveryId = (of: string): string => `dlv_${createHash("sha256").update(of).digest("hex").slice(0, 16)}`;

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

export const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.slice(PREFIX.length), "base64");
  return text === PREFIX + bytes.toString("base64") && bytes.length >= 24 && bytes.length <= 64;
};

/** Headers of one attempt, signed as Standard Webhooks 1.0 specifies. */
export const headersOf = ({ id, body, resend }: Notice, secret: string, nowMs: number): Record<string, string> => {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "curtail",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
    ...(resend === null ? {} : { "curtail-resend": resend }),
  };
};
