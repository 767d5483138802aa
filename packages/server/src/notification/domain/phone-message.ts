import type { ClaimedMessage } from "../../dispatch/domain/message.js";
import type { WebhookEventName } from "./webhook.js";

export const phoneChannels = ["sms", "voice"] as const;
export type PhoneChannel = (typeof phoneChannels)[number];

/** To the phone of a contact. */
export interface ClaimedPhoneMessage extends ClaimedMessage {
  readonly channel: PhoneChannel;
  readonly accountId: string;
  readonly event: WebhookEventName;
}

/** The gateway's answer to a message. */
export type PhoneHandover =
  | { readonly ok: true; readonly gatewayId: string | null }
  /** `isRefused`: it will never take this message. */
  | { readonly ok: false; readonly error: string; readonly isRefused: boolean };

const firstDelaysSeconds = [5, 15, 30, 60] as const;
const LATER_DELAY_SECONDS = 120;
const MAX_HOURS = 6;
/** Failures after which a person should look at the gateway. */
export const ALARMING_GATEWAY_FAILURES = 3;

/** Delay after a number of failures; null once the message is six hours old: then a person has heard otherwise. */
export const phoneDelayAfterMs = (failures: number, ageMs: number): number | null =>
  ageMs >= MAX_HOURS * 3_600_000 ? null : (firstDelaysSeconds[failures - 1] ?? LATER_DELAY_SECONDS) * 1000;

export const isGatewayAlarming = (failures: number): boolean => failures >= ALARMING_GATEWAY_FAILURES;

/** Messages to a phone within an hour on a channel; further ones wait, and later ones replace them. */
export const MAX_MESSAGES_AN_HOUR = 12;

/** What is wrong with the message itself; any other status may pass, or is a fault of the settings. */
const refusals: readonly number[] = [400, 410, 413, 422];
export const isRefusingStatus = (status: number | null): boolean => status !== null && refusals.includes(status);

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
