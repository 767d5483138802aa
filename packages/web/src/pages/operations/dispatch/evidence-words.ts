import type { operator } from "@curtail/contract";
import { reasonWords } from "../../../parts/evidence-words.js";
import { endingWords } from "../../../parts/webhook-outcome.js";

type Evidence = operator.Evidence;

/** What happened, in a line. */
export const whatWords = (evidence: Evidence): string => {
  const { what, channel, detail } = evidence;
  const state = revision(detail.modification_number);
  switch (what) {
    case "notified":
      if (channel === "mail") return "Nothing had reached the account in time: its contacts are to be mailed";
      return detail.event === "dispatch.update"
        ? `Could see the change${state} from here on`
        : `Could see the dispatch${state} from here on`;
    case "attempt":
      return `Attempt ${detail.number ?? ""} at ${detail.url ?? "the address"}: ${outcome(detail)}`;
    case "delivered":
      return channel === "webhook"
        ? `Delivered${detail.url === undefined ? "" : ` to ${detail.url}`}`
        : `Delivered to VEN ${venOf(detail)}${state}`;
    case "failed":
      return `Failed${detail.reason === undefined ? "" : `: ${reasonWords[detail.reason]}`}`;
    case "polled":
      return channel === "openadr"
        ? `VEN ${venOf(detail)} polled${state}`
        : `Read it in the list of dispatches${state}`;
    case "fetched":
      return `Read the dispatch itself${state}`;
    case "acknowledged":
      return `VEN ${venOf(detail)} acknowledged${state}${detail.opt === "optOut" ? ", and opts out" : detail.opt === "optIn" ? ", and takes part" : ""}${detail.response_code === undefined || detail.response_code === "200" ? "" : ` (code ${detail.response_code})`}`;
    case "mailed":
      return "The mail server took the mail to its contacts";
  }
};

const venOf = ({ ven_id }: Evidence["detail"]): string => ven_id ?? "";

const revision = (modification: number | undefined): string =>
  modification === undefined || modification === 0 ? "" : ` (change ${modification})`;

const outcome = (detail: Evidence["detail"]): string =>
  `${endingWords(detail)}${detail.duration_ms === undefined ? "" : ` after ${detail.duration_ms} ms`}`;
