import type { LanguageChoice } from "../../access/domain/language.js";
import type { ClaimedMessage } from "../../dispatch/domain/message.js";
import type { WebhookEventName } from "./webhook.js";

export const phoneChannels = ["sms", "voice"] as const;
export type PhoneChannel = (typeof phoneChannels)[number];

/** To the phone of a contact. */
export interface ClaimedPhoneMessage extends ClaimedMessage {
  readonly channel: PhoneChannel;
  readonly accountId: string;
  readonly event: WebhookEventName;
  readonly language: LanguageChoice;
}

/** The gateway's answer to a message. */
export type PhoneHandover =
  | { readonly ok: true; readonly gatewayId: string | null }
  /** `isRefused`: it will never take this message. */
  | { readonly ok: false; readonly error: string; readonly isRefused: boolean };

/** Messages to a phone within an hour on a channel; further ones wait, and later ones replace them. */
export const MAX_MESSAGES_AN_HOUR = 12;

const MAX_GATEWAY_ID_CHARACTERS = 200;

/** The `id` in a gateway's JSON answer; null if there is none. */
export const gatewayIdOf = (answer: string): string | null => {
  try {
    const { id } = JSON.parse(answer) as { readonly id?: unknown };
    const text = typeof id === "number" ? String(id) : id;
    return typeof text === "string" && text !== "" ? text.slice(0, MAX_GATEWAY_ID_CHARACTERS) : null;
  } catch {
    return null;
  }
};
