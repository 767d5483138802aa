interface Outcome {
  readonly status: number | null;
  readonly duration_ms: number;
  readonly address: string | null;
  readonly error: string | null;
}

const faults: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  blocked_address: "the address is one that webhooks may not reach",
  https_required: "the address has to be https",
  connection_refused: "the connection was refused",
  connection_reset: "the connection broke",
  unreachable: "the receiver cannot be reached",
  dns: "the name of the host was not found",
  tls: "the certificate of the receiver is not good",
  bad_response: "the answer was no HTTP",
};

/** How a request to a webhook went: `answered 200 in 34 ms`. */
export const outcomeWords = ({ status, duration_ms, address, error }: Outcome): string => {
  const where = address === null ? "" : ` (${address})`;
  if (status !== null) return `answered ${status} in ${duration_ms} ms${where}`;
  return `${error === null ? "no answer" : (faults[error] ?? error.replaceAll("_", " "))}, after ${duration_ms} ms${where}`;
};
