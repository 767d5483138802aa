import { Badge } from "../ui/badge.js";

/** How a request ended; evidence leaves out what it does not know. */
interface Ending {
  readonly status?: number | null;
  readonly error?: string | null;
}

interface Outcome extends Ending {
  readonly duration_ms: number;
  readonly address: string | null;
}

/** Everything that the service calls a failed request, but for `status_500` and the like. */
const faults: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  blocked_address: "the address is one that webhooks may not reach",
  https_required: "the address has to be https",
  connection_refused: "the connection was refused",
  connection_reset: "the connection broke",
  unreachable: "the receiver cannot be reached",
  dns: "the name of the host was not found",
  tls: "no secure connection: check the receiver's certificate",
  bad_response: "the answer was not valid HTTP",
  network_error: "the network failed",
  redirect_without_location: "it was redirected without an address to go to",
  redirect_refused: "it was redirected to where it must not go",
  too_many_redirects: "it was redirected too often",
  response_too_large: "the answer was too large",
  secret_unreadable: "it could not be signed: the service lacks the key of the webhook's secret",
};

/** How a request to a webhook went, in words: `answered 200`, `no answer in time`. */
export const endingWords = ({ status, error }: Ending): string => {
  // What went wrong comes first: an answer of 200 that is too large is none of success.
  if (error !== null && error !== undefined && !error.startsWith("status_")) return faults[error] ?? error;
  return typeof status === "number" ? `answered ${status}` : "no answer";
};

/** The same with how long it took, and where: `answered 200 in 34 ms (192.0.2.7)`. */
export const outcomeWords = ({ duration_ms, address, ...ending }: Outcome): string => {
  const how = `${endingWords(ending)} ${ending.status === null ? "after" : "in"} ${duration_ms} ms`;
  return address === null ? how : `${how} (${address})`;
};

export const OutcomeBadge = ({ outcome }: { readonly outcome: Outcome }) => (
  <Badge tone={outcome.error === null ? "good" : "bad"}>{endingWords(outcome)}</Badge>
);

export const outcomeDetail = ({ duration_ms, address }: Outcome): string =>
  [`${duration_ms} ms`, ...(address === null ? [] : [address])].join(", ");
