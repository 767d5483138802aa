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
  timeout: say("no answer in time"),
  blocked_address: say("webhooks may not be sent to this address"),
  https_required: say("the address must use https"),
  connection_refused: say("the connection was refused"),
  connection_reset: say("the connection was lost"),
  unreachable: say("the receiver cannot be reached"),
  dns: say("the host name was not found"),
  tls: say("TLS failed: check the receiver's certificate"),
  bad_response: say("the answer was not valid HTTP"),
  network_error: say("network error"),
  redirect_without_location: say("redirect without a target address"),
  redirect_refused: say("redirect to a forbidden address"),
  too_many_redirects: say("too many redirects"),
  response_too_large: say("the answer was too large"),
  secret_unreadable: say("could not be signed: the service cannot decrypt the webhook's secret"),
};

/** Outcome of a request to a webhook: `answered 200`, `no answer in time`. */
export const endingWords = ({ status, error }: Ending): string => {
  // The failure comes first: a response of 200 that is too large is a failure.
  if (error !== null && error !== undefined && !error.startsWith("status_")) return faults[error] ?? error;
  const answered = status ?? error?.slice("status_".length);
  return answered === undefined ? say("no answer") : say("answered {status}", { status: answered });
};

/** The same with duration and address: `answered 200 in 34 ms (192.0.2.7)`. */
export const outcomeWords = ({ duration_ms, address, ...ending }: Outcome): string => {
  const values = { outcome: endingWords(ending), ms: duration_ms };
  const how = ending.status === null ? say("{outcome} after {ms} ms", values) : say("{outcome} in {ms} ms", values);
  return address === null ? how : `${how} (${address})`;
};

export const OutcomeBadge = ({ outcome }: { readonly outcome: Outcome }) => (
  <Badge tone={outcome.error === null ? "good" : "bad"}>{endingWords(outcome)}</Badge>
);

export const outcomeDetail = ({ duration_ms, address }: Outcome): string =>
  [`${duration_ms} ms`, ...(address === null ? [] : [address])].join(", ");
