import { ErrorResponse, NoResponse } from "@curtail/client";
import { CommandFailure, EXIT_FAILED, messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import type { Access } from "./access.js";

/** The service understood the request and does not carry it out. */
export const EXIT_REFUSED = 3;
/** The service was not reached, or failed: the same command may succeed later. */
export const EXIT_NOT_REACHED = 4;

/** What a failed call means for a person; null if it is none. */
export const failureOf = (error: unknown, { url, from }: Pick<Access, "url" | "from">): CommandFailure | null => {
  if (error instanceof NoResponse) return failed(unreachable(url, error.cause), EXIT_NOT_REACHED, error);
  if (!(error instanceof ErrorResponse)) return null;
  const { status, location, reason } = error;
  if (location !== null)
    return failed(
      `${url} redirects to ${harmless(location)}; log in with the address of the service`,
      EXIT_FAILED,
      error,
    );
  if (reason === null) {
    const exitCode = status >= 500 ? EXIT_NOT_REACHED : EXIT_FAILED;
    return failed(`${url} responded with ${status}, which is not a response of this service`, exitCode, error);
  }
  const said = harmless(reason);
  if (status === 401) return failed(`${said} The key is from ${from}; ${howToReplace(from)}.`, EXIT_REFUSED, error);
  return failed(said, status >= 500 || status === 429 ? EXIT_NOT_REACHED : EXIT_REFUSED, error);
};

const failed = (message: string, exitCode: number, cause: Error): CommandFailure =>
  new CommandFailure(message, exitCode, { cause });

const unreachable = (url: string, cause: unknown): string =>
  `no service answers at ${harmless(url)} (${reasonOf(cause)}); \`curtail doctor\` finds out why`;

/** What to do with another key than the one that was found there. */
export const howToReplace = (from: string): string =>
  from === "the environment" ? "set CURTAIL_API_KEY to another one" : "store another one with `curtail login`";

/** The code or words of the innermost cause. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = (error ?? {}) as { readonly code?: unknown };
  // Of a proxy's refusal the words say more. A DOMException has a number.
  const isTelling = typeof code === "string" && code !== "UND_ERR_ABORTED";
  return harmless(isTelling ? code : messageOf(error));
};
