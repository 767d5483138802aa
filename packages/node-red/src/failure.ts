import { ErrorResponse, NoResponse } from "@curtail/client";

/** What went wrong, and what to do about it, in one line for the status and the log. */
export const failureText = (error: unknown): string => {
  if (error instanceof NoResponse) return `${error.message}${causeOf(error)}`;
  if (!(error instanceof ErrorResponse)) return error instanceof Error ? error.message : String(error);
  const reason = error.reason ?? error.statusText;
  return error.status === 401 ? `the key is refused: ${reason}` : `${error.status}: ${reason}`;
};

/** `fetch` hides why: ECONNREFUSED, ENOTFOUND, a certificate. */
const causeOf = ({ cause }: Error): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = (inner as { readonly code?: unknown } | null | undefined)?.code;
  if (typeof code === "string") return ` (${code})`;
  return inner instanceof Error ? ` (${inner.message})` : "";
};

/** Reports each failure once, until `clear` says that it has passed. */
export class FailureLog {
  private last: string | null = null;

  constructor(private readonly report: (text: string) => void) {}

  readonly note = (error: unknown): string => {
    const text = failureText(error);
    if (text !== this.last) this.report(text);
    this.last = text;
    return text;
  };

  readonly clear = (): void => void (this.last = null);
}
