import type { operator } from "@curtail/contract";
import { isAddressed } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { count } from "../../../format/quantity.js";
import { personWords, recipientWords } from "../../../parts/evidence-words.js";
import { endingWords } from "../../../parts/webhook-outcome.js";
import { isGone, isToPerson, messageWords, ofChange, venOf } from "./evidence-parts.js";

type Evidence = operator.Evidence;

/** A notice that is to be sent, or can be seen from then on. */
export const noticeWords = (evidence: Evidence): string => {
  const { channel, detail } = evidence;
  const ven = venOf(detail);
  if (channel === "mail") return say("No channel reached the account in time: mail to its contacts is due");
  if (isToPerson(channel)) return messageWords(evidence).due;
  switch (channel) {
    case "webhook":
      return detail.event === "dispatch.update"
        ? say("Change due at {url}", { url: detail.url ?? "" })
        : say("Dispatch due at {url}", { url: detail.url ?? "" });
    case "openadr":
      return ofChange(
        detail,
        detail.poll_interval_seconds === undefined
          ? say("Visible to VEN {ven}", { ven })
          : say("Visible to VEN {ven}, which polls every {n} s", { ven, n: count(detail.poll_interval_seconds) }),
      );
    case "openadr3":
      // A cancelled dispatch is an event that is no longer there.
      return ofChange(
        detail,
        isGone(detail)
          ? say("Visible to VEN {ven}: the event was deleted", { ven })
          : say("Visible to VEN {ven}", { ven }),
      );
    case "personal":
      return say("Notice due for {person}", { person: personWords(detail) ?? say("a person") });
    default:
      return ofChange(detail, say("Visible to the account"));
  }
};

export const attemptWords = ({ channel, detail }: Evidence): string => {
  if (channel === "mail")
    return say("Mail accepted for nobody: {recipients}", { recipients: recipientWords(detail) ?? say("its contacts") });
  const values = {
    n: detail.number === undefined ? "" : count(detail.number),
    place: detail.url ?? detail.name ?? say("the address"),
    outcome: endingWords(detail),
  };
  return detail.duration_ms === undefined
    ? say("Attempt {n} at {place}: {outcome}", values)
    : say("Attempt {n} at {place}: {outcome} after {ms} ms", { ...values, ms: detail.duration_ms });
};

export const deliveredWords = (evidence: Evidence): string => {
  const { channel, detail } = evidence;
  const ven = venOf(detail);
  if (channel === "personal")
    return say("Notice accepted for {person}", { person: personWords(detail) ?? say("a person") });
  if (isAddressed(channel)) return ofChange(detail, messageWords(evidence).accepted);
  if (channel === "openadr3")
    return ofChange(
      detail,
      say("Delivered to VEN {ven} at {place}", { ven, place: detail.url ?? say("its callback") }),
    );
  if (channel !== "webhook") return ofChange(detail, say("Delivered to VEN {ven}", { ven }));
  return detail.url === undefined ? say("Delivered", {}, "message") : say("Delivered to {url}", { url: detail.url });
};

export const failedWords = (evidence: Evidence): string => {
  const { channel, detail } = evidence;
  const ven = venOf(detail);
  if (isToPerson(channel)) return messageWords(evidence).failed;
  if (channel === "personal")
    return say("Notice to {person} failed", { person: personWords(detail) ?? say("a person") });
  if (channel === "openadr") return say("VEN {ven} failed", { ven });
  if (detail.operating_state !== undefined)
    return say("VEN {ven} reported {state}", { ven, state: detail.operating_state });
  if (channel === "openadr3")
    return say("Failed for VEN {ven} at {place}", { ven, place: detail.url ?? say("its callback") });
  return channel === "webhook"
    ? say("Failed at {place}", { place: detail.url ?? say("the webhook") })
    : say("Failed", {}, "message");
};
