import type { NoticeEvent } from "../../dispatch/domain/notice.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { checkReceiverUrl } from "../../platform/receiver-url.js";
import type { Result } from "../../platform/refusal.js";

export type WebhookEventName = NoticeEvent;

/** Addresses that test requests of the public sandbox key may reach, regardless of other settings (G49). */
export const publicAddresses: AddressPolicy = { allowedNetworks: [], allowLoopback: false, allowHttp: false };
/** Per address, and per caller (G35). */
export const MAX_PUBLIC_TESTS_A_MINUTE = 10;

/** G32; for all workers together. */
export const MAX_IN_FLIGHT_PER_WEBHOOK = 4;
/** As in the contract. */
const MAX_WEBHOOK_URL_LENGTH = 2048;

/** Checks the text of a webhook's URL. */
export const checkWebhookUrl = (text: string, policy: AddressPolicy): Result<URL> =>
  checkReceiverUrl(text, policy, { member: "url", maxLength: MAX_WEBHOOK_URL_LENGTH });
