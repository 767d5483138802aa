import { say } from "@curtail/words/page";
import { Badge } from "../ui/badge.js";

/** Outcome of a request; evidence omits what it does not know. */
interface Ending {
  readonly status?: number | null;
  readonly error?: string | null;
}

interface Outcome extends Ending {
  readonly duration_ms: number;
  readonly address: string | null;
}

/** All failure codes of the service, except `status_500` and the like. */
const faults: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  blocked_address: "webhooks may not be sent to this address",
  https_required: "the address must use https",
  connection_refused: "the connection was refused",
  connection_reset: "the connection was lost",
  unreachable: "the receiver cannot be reached",
  dns: "the host name was not found",
  tls: say("TLS failed: check the receiver's certificate"),
  bad_response: "the answer was not valid HTTP",
  network_error: "network error",
  redirect_without_location: "redirect without a target address",
  redirect_refused: "redirect to a forbidden address",
  too_many_redirects: "too many redirects",
  response_too_large: "the answer was too large",
  secret_unreadable: "could not be signed: the service cannot decrypt the webhook's secret",
};

/** Outcome of a request to a webhook: `answered 200`, `no answer in time`. */
export const endingWords = ({ status, error }: Ending): string => {
  // The failure comes first: a response of 200 that is too large is a failure.
  if (error !== null && error !== undefined && !error.startsWith("status_")) return faults[error] ?? error;
  const answered = status ?? error?.slice("status_".length);
  return answered === undefined ? say("no answer") : `answered ${answered}`;
};

/** The same with duration and address: `answered 200 in 34 ms (192.0.2.7)`. */
export const outcomeWords = ({ duration_ms, address, ...ending }: Outcome): string => {
  const how = `${endingWords(ending)} ${ending.status === null ? "after" : "in"} ${duration_ms} ms`;
  return address === null ? how : `${how} (${address})`;
};

export const OutcomeBadge = ({ outcome }: { readonly outcome: Outcome }) => (
  <Badge tone={outcome.error === null ? "good" : "bad"}>{endingWords(outcome)}</Badge>
);

export const outcomeDetail = ({ duration_ms, address }: Outcome): string =>
  [`${duration_ms} ms`, ...(address === null ? [] : [address])].join(", ");
