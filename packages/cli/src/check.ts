import { CommandFailure } from "./admin-io.js";
import { harmless, type Style } from "./human-form.js";
import type { Printer } from "./printer.js";

/** A result of a doctor. */
export interface Check {
  readonly name: string;
  readonly result: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do; null if nothing. */
  readonly advice: string | null;
}

export const good = (name: string, detail: string): Check => ({ name, result: "ok", detail, advice: null });
export const warning = (name: string, detail: string, advice: string): Check => ({
  name,
  result: "warning",
  detail,
  advice,
});
export const bad = (name: string, detail: string, advice: string): Check => ({
  name,
  result: "failed",
  detail,
  advice,
});

/**
 * Prints checks as they come, or all of them as JSON with what they are about. Throws a `CommandFailure` (exit code 1) if one
 * failed.
 */
export const reportChecks = async (print: Printer, about: object, found: AsyncIterable<Check>): Promise<void> => {
  const checks: Check[] = [];
  for await (const check of found) {
    checks.push(check);
    if (!print.isJson) print.line(checkLine(check, print.style));
  }
  if (print.isJson) print.line(JSON.stringify({ ...about, checks }));
  const failed = checks.filter(({ result }) => result === "failed").length;
  if (failed > 0) throw new CommandFailure(failed === 1 ? "a check failed" : `${failed} checks failed`);
};

const signs = { ok: "ok     ", warning: "warning", failed: "failed " } as const;

const checkLine = ({ name, result, detail, advice }: Check, style: Style): string => {
  const color = { ok: style.good, warning: style.warning, failed: style.bad }[result];
  const line = `${color(signs[result])}  ${name.padEnd(12)} ${harmless(detail)}`;
  return advice === null ? line : `${line}\n${" ".repeat(22)} ${harmless(advice)}`;
};
