import type { operator } from "@curtail/contract";
import type { AddressedChannel } from "../../platform/channel.js";
import type { CursorForm } from "../../platform/http/page.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Evidence, EvidencePlace, Occurrence } from "../domain/evidence.js";

type WireDetail = operator.Evidence["detail"];
type VenNotice = Extract<Occurrence, { readonly channel: "openadr"; readonly what: "notified" }>["detail"];
type On<C extends Occurrence["channel"]> = Extract<Occurrence, { readonly channel: C }>;

export const evidenceToWire = (item: Evidence): operator.Evidence => ({
  at: formatTimestamp(item.at),
  account_id: item.accountId,
  ...(item.siteId === null ? {} : { site_id: item.siteId }),
  channel: item.channel,
  what: item.what,
  detail: detailToWire(item),
});

/** What the account itself sees: not the operators' note, nor which of them called. */
export const ownEvidenceToWire = (item: Evidence): operator.Evidence => {
  const { note: _note, by: _by, by_name: _byName, ...detail } = detailToWire(item);
  return { ...evidenceToWire(item), detail };
};

const detailToWire = (item: Occurrence): WireDetail => {
  switch (item.channel) {
    case "rest":
      return {
        modification_number: item.detail.modificationNumber,
        ...(item.what === "notified" ? {} : afterEndOf(item.detail)),
        ...(item.what === "viewed" ? { user_id: item.detail.userId, user_name: item.detail.userName } : {}),
      };
    case "webhook":
      return webhookDetail(item);
    case "openadr":
      return venDetail(item);
    case "openadr3":
      return clientDetail(item);
    case "mail":
      return mailDetail(item);
    case "sms":
    case "voice":
      return phoneDetail(item);
    case "personal":
      return personalDetail(item);
    case "phone":
      return callDetail(item);
    default:
      return addressedDetail(item);
  }
};

const addressedDetail = ({ what, detail }: On<AddressedChannel>): WireDetail => {
  const { messageId: message_id, addressId: address_id, event, name, modificationNumber: modification_number } = detail;
  const message = { message_id, address_id, event, name, modification_number };
  switch (what) {
    case "notified":
      return message;
    case "attempt": {
      const { number, status, durationMs, address, error } = detail;
      return { ...message, number, status, duration_ms: durationMs, address, error };
    }
    case "delivered":
      return { ...message, ...textOf(detail) };
    case "failed":
      return { ...message, reason: detail.reason, error: detail.error };
  }
};

const callDetail = ({ detail }: On<"phone">): WireDetail => ({
  modification_number: detail.modificationNumber,
  person: detail.person,
  note: detail.note,
  by: detail.actor,
  by_name: detail.actorName,
});

const webhookDetail = ({ what, detail }: On<"webhook">): WireDetail => {
  const { webhookId, url, deliveryId, event, modificationNumber: modification_number } = detail;
  const delivery = { webhook_id: webhookId, url, delivery_id: deliveryId, event, modification_number };
  if (what === "failed") return { ...delivery, reason: detail.reason };
  if (what !== "attempt") return delivery;
  const { number, status, durationMs, address, error } = detail;
  return { ...delivery, number, status, duration_ms: durationMs, address, error };
};

const venDetail = ({ what, detail }: On<"openadr">): WireDetail => {
  const ven = { ven: detail.ven, ven_id: detail.venId, modification_number: detail.modificationNumber };
  if (what === "notified") return { ...ven, ...noticeOf(detail) };
  if (what === "polled") return { ...ven, ...afterEndOf(detail) };
  if (what === "acknowledged") {
    return { ...ven, opt: detail.opt, response_code: detail.responseCode, ...afterEndOf(detail) };
  }
  if (what === "failed" && detail.reason === "ven_error") {
    return { ...ven, reason: detail.reason, response_code: detail.responseCode, error: detail.error };
  }
  if (what === "failed") return { ...ven, reason: detail.reason };
  if (what !== "attempt") return ven;
  const { number, status, durationMs, address, error } = detail;
  return { ...ven, number, status, duration_ms: durationMs, address, error };
};

const clientDetail = ({ what, detail }: On<"openadr3">): WireDetail => {
  const client = {
    client_id: detail.clientId,
    client_name: detail.clientName,
    event_id: detail.eventId,
    operation: detail.operation,
    modification_number: detail.modificationNumber,
  };
  switch (what) {
    case "notified":
      return { ...client, site_ids: [...detail.siteIds] };
    case "polled":
      return { ...client, ...afterEndOf(detail) };
    case "acknowledged":
      return { ...client, ...answerDetail(detail), opt: detail.opt, ...afterEndOf(detail) };
    case "delivered":
      return { ...client, ...callbackDetail(detail) };
    case "attempt": {
      const { number, status, durationMs, address, error } = detail;
      return { ...client, ...callbackDetail(detail), number, status, duration_ms: durationMs, address, error };
    }
    case "failed":
      return detail.reason === "ven_error"
        ? { ...client, ...answerDetail(detail), reason: detail.reason }
        : { ...client, ...callbackDetail(detail), reason: detail.reason };
  }
};

const callbackDetail = ({ url, deliveryId }: { readonly url: string; readonly deliveryId: string }): WireDetail => ({
  url,
  delivery_id: deliveryId,
});

const answerDetail = (answer: {
  readonly reportId: string;
  readonly operatingState: string;
  readonly resourceNames: readonly string[];
}): WireDetail => ({
  report_id: answer.reportId,
  operating_state: answer.operatingState,
  resource_names: [...answer.resourceNames],
});

const noticeOf = ({ siteIds, pollIntervalSeconds, pollByMs }: VenNotice): WireDetail => ({
  ...(siteIds === null ? {} : { site_ids: [...siteIds] }),
  poll_interval_seconds: pollIntervalSeconds,
  poll_by: formatTimestamp(new Date(pollByMs)),
});

/** Present only on items after the end. */
const afterEndOf = ({ isAfterEnd }: { readonly isAfterEnd: boolean | null }): WireDetail =>
  isAfterEnd === true ? { after_end: true } : {};

const mailDetail = ({ what, detail }: On<"mail">): WireDetail => {
  const { mailId: mail_id, event, modificationNumber: modification_number } = detail;
  const mail = { mail_id, event, modification_number };
  if (what === "notified") return mail;
  if (what === "failed") return { ...mail, reason: detail.reason, error: detail.error };
  const { refusedRecipients: refused_recipients, recipients, subject, text } = detail;
  return {
    ...mail,
    refused_recipients,
    ...(recipients === null ? {} : { recipients: [...recipients] }),
    ...(what === "attempt" ? { error: recipients?.find(({ reply }) => reply !== undefined)?.reply ?? null } : {}),
    ...(subject === null || text === null ? {} : { subject, text }),
  };
};

const phoneDetail = ({ what, detail }: On<"sms" | "voice">): WireDetail => {
  const { messageId: message_id, event, name, phone, modificationNumber: modification_number } = detail;
  const message = { message_id, event, name, phone, modification_number };
  if (what === "notified") return message;
  if (what === "failed") return { ...message, reason: detail.reason, error: detail.error };
  return { ...message, gateway_id: detail.gatewayId, ...textOf(detail) };
};

const personalDetail = ({ what, detail }: On<"personal">): WireDetail => {
  const { noticeId, event, userId, userName, sentBy: sent_by, browser } = detail;
  const to = browser === null ? { sent_by } : { sent_by, browser };
  const modification_number = detail.modificationNumber;
  const notice = { notice_id: noticeId, event, modification_number, user_id: userId, user_name: userName, ...to };
  if (what === "delivered") return { ...notice, ...textOf(detail) };
  return what === "failed" ? { ...notice, reason: detail.reason, error: detail.error } : notice;
};

/** Absent if it was not stored. */
const textOf = ({ text }: { readonly text: string | null }): WireDetail => (text === null ? {} : { text });

export const byEvidencePlace: CursorForm<EvidencePlace> = {
  write: ({ at, key }) => `e${at.getTime()}.${key}`,
  read(text) {
    const [, ms, key] = /^e(\d{1,15})\.([\w.]{1,200})$/.exec(text) ?? [];
    return ms === undefined || key === undefined ? null : { at: new Date(Number(ms)), key };
  },
};
