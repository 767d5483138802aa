import { errors } from "undici";
import { BlockedAddress } from "./address-guard.js";

export type NetworkErrorCode =
  | BlockedAddress["code"]
  | "timeout"
  | "connection_refused"
  | "connection_reset"
  | "unreachable"
  | "dns"
  | "tls"
  | "bad_response"
  | "network_error";

const codes: readonly (readonly [RegExp, NetworkErrorCode])[] = [
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, "timeout"],
  [/^ECONNREFUSED$/, "connection_refused"],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, "connection_reset"],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, "unreachable"],
  [/^(ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL)$/, "dns"],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_|PATH_)/,
    "tls",
  ],
  [/^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_))/, "bad_response"],
];

/** The code of a failed request in its attempt; null if it is no network failure but a bug. */
export const networkErrorCode = (error: unknown): NetworkErrorCode | null => {
  if (error instanceof BlockedAddress) return error.code;
  if (error instanceof errors.HTTPParserError) return "bad_response"; // not all of them have a code
  const code = stringIn(error, "code");
  if (code === null || code === "UND_ERR_INVALID_ARG") return null;
  return codes.find(([pattern]) => pattern.test(code))?.[1] ?? "network_error";
};

/** The address in a socket error; the first of several. */
export const failedAddress = (error: unknown): string | null =>
  stringIn(error, "address") ?? (error instanceof AggregateError ? stringIn(error.errors[0], "address") : null);

const stringIn = (error: unknown, name: "code" | "address"): string | null => {
  const found: unknown = error instanceof Error ? Reflect.get(error, name) : null;
  return typeof found === "string" ? found : null;
};
