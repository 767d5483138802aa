import type { operator, ReplyOf } from "@curtail/contract";
import { channels, isAddressed } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { clock, dayAndClock, isSameDay } from "../../../format/time.js";
import { evidenceWords, personWords, reasonWords, recipientOf, recipientWords } from "../../../parts/evidence-words.js";
import { endingWords } from "../../../parts/webhook-outcome.js";

type Evidence = operator.Evidence;
type Dispatch = Pick<ReplyOf<typeof operator.getAnyDispatch>, "start_time" | "program">;

/** An event in one line. */
export const whatWords = (evidence: Evidence): string => {
  const { what, channel, detail } = evidence;
  const state = revision(detail.modification_number);
  const late = detail.after_end === true ? " after the end" : "";
  switch (what) {
    case "notified":
      if (channel === "mail") return say("No channel reached the account in time: mail to its contacts is due");
      if (isToPerson(channel)) return `${toRecipient(evidence)} is due`;
      if (channel === "webhook")
        return `${detail.event === "dispatch.update" ? say("Change") : say("Dispatch")} due at ${detail.url}`;
      if (channel === "openadr") return `Visible to VEN ${venOf(detail)}${intervalOf(detail)}${state}`;
      if (channel === "openadr3") return `Visible to VEN ${venOf(detail)}${gone(detail)}${state}`;
      if (channel === "personal") return `Notice due for ${personWords(detail) ?? say("a person")}`;
      return `Visible to the account${state}`;
    case "attempt":
      if (channel === "mail") return `Mail accepted for nobody: ${recipientWords(detail) ?? say("its contacts")}`;
      return `Attempt ${detail.number ?? ""} at ${detail.url ?? detail.name ?? say("the address")}: ${outcome(detail)}`;
    case "delivered":
      if (channel === "personal") return `Notice accepted for ${personWords(detail) ?? say("a person")}`;
      if (isAddressed(channel)) return `${toRecipient(evidence)} accepted${state}`;
      if (channel === "openadr3")
        return `Delivered to VEN ${venOf(detail)} at ${detail.url ?? say("its callback")}${state}`;
      return channel === "webhook"
        ? `Delivered${detail.url === undefined ? "" : ` to ${detail.url}`}`
        : `Delivered to VEN ${venOf(detail)}${state}`;
    case "failed":
      return `${failedWords(evidence)}${detail.reason === undefined ? "" : `: ${reasonWords[detail.reason]}`}`;
    case "polled":
      return channel === "openadr" || channel === "openadr3"
        ? `VEN ${venOf(detail)} polled${gone(detail)}${late}${state}`
        : `Read in the list of dispatches${late}${state}`;
    case "fetched":
      return `Read the dispatch${late}${state}`;
    case "viewed":
      return `${detail.user_name ?? say("A person")} read it on its page${late}${state}`;
    case "acknowledged":
      return `VEN ${venOf(detail)} ${detail.operating_state === undefined ? "acknowledged" : `reported ${detail.operating_state}`}${late}${state}${detail.opt === "optOut" ? ", opted out" : detail.opt === "optIn" ? ", opted in" : ""}${detail.response_code === undefined || detail.response_code === "200" ? "" : ` (code ${detail.response_code})`}`;
    case "handed_over":
      return `${toRecipient(evidence)} accepted by the gateway${state}`;
    case "reached":
      return `Notified by phone: ${detail.person ?? "somebody"}${detail.note === undefined ? "" : `. ${detail.note}`}${state}`;
    case "mailed":
      return `Mail accepted for ${recipientWords(detail) ?? say("its contacts")}`;
  }
};

/** The time alone if both it and the dispatch are of today. */
export const chipTime = (at: string, { start_time, program }: Dispatch, now: Date): string => {
  const isToday = [at, start_time].every((each) => isSameDay(each, now, program.timezone));
  return isToday ? clock(at, program.timezone) : dayAndClock(at, program.timezone, now);
};

/** The latest event of a channel, in few words. */
export const chipWords = (evidence: Evidence): string =>
  evidence.what === "attempt" && evidence.channel !== "mail"
    ? `attempt ${evidence.detail.number ?? ""} ${endingWords(evidence.detail)}`
    : evidenceWords(evidence);

const intervalOf = ({ poll_interval_seconds }: Evidence["detail"]): string =>
  poll_interval_seconds === undefined ? "" : `, which polls every ${poll_interval_seconds} s`;

/** Whose messages go to a contact or an address, by name. */
const isToPerson = (channel: Evidence["channel"]): boolean =>
  channel === "sms" || channel === "voice" || isAddressed(channel);

/** `SMS to Ana Lopez, +15550100200`, `Chat message to Control room` */
const toRecipient = ({ channel, detail }: Evidence): string =>
  `${channels[channel].title}${isAddressed(channel) ? " message" : ""} to ${recipientOf(detail) ?? "a contact"}`;

const failedWords = (evidence: Evidence): string => {
  const { channel, detail } = evidence;
  if (isToPerson(channel)) return `${toRecipient(evidence)} failed`;
  if (channel === "personal") return `Notice to ${personWords(detail) ?? say("a person")} failed`;
  if (channel === "openadr") return `VEN ${venOf(detail)} failed`;
  if (detail.operating_state !== undefined) return `VEN ${venOf(detail)} reported ${detail.operating_state}`;
  if (channel === "openadr3") return `Failed for VEN ${venOf(detail)} at ${detail.url ?? say("its callback")}`;
  return channel === "webhook" ? `Failed at ${detail.url ?? say("the webhook")}` : say("Failed");
};

const venOf = ({ ven_id, client_name }: Evidence["detail"]): string => ven_id ?? client_name ?? "";

/** A cancelled dispatch is an event that is no longer there. */
const gone = ({ operation }: Evidence["detail"]): string => (operation === "DELETE" ? ": the event was deleted" : "");

const revision = (modification: number | undefined): string =>
  modification === undefined || modification === 0 ? "" : ` (change ${modification})`;

const outcome = (detail: Evidence["detail"]): string =>
  `${endingWords(detail)}${detail.duration_ms === undefined ? "" : ` after ${detail.duration_ms} ms`}`;
