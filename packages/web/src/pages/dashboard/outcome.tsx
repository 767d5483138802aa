import type { operator } from "@curtail/contract";
import { Badge } from "../../ui/badge.js";

type Outcome = Pick<operator.Delivery["attempts"][number], "status" | "duration_ms" | "address" | "error">;

const words: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  connection_refused: "nothing listens at the address",
  dns: "the name of the host was not found",
  tls: "the certificate was not accepted",
  redirect_refused: "it was redirected to where it must not go",
  too_many_redirects: "it was redirected too often",
  response_too_large: "the answer was too large",
};

/** How one request to a webhook went, in words. */
const outcomeWords = ({ status, error }: Outcome): string => {
  if (error === null) return `answered ${status ?? ""}`.trim();
  if (error.startsWith("status_")) return `answered ${error.slice("status_".length)}`;
  return words[error] ?? error.replaceAll("_", " ");
};

export const OutcomeBadge = ({ outcome }: { readonly outcome: Outcome }) => (
  <Badge tone={outcome.error === null ? "good" : "bad"}>{outcomeWords(outcome)}</Badge>
);

export const outcomeDetail = ({ duration_ms, address }: Outcome): string =>
  [`${duration_ms} ms`, ...(address === null ? [] : [address])].join(", ");
