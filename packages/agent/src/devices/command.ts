import { execFile } from "node:child_process";
import type { CommandTarget } from "../config/other-config.js";
import type { WriteContext, Writer } from "./device.js";

const LARGEST_OUTPUT = 65_536;

/** Runs a program for each value, with JSON on its standard input; no shell is involved. */
export const commandWriter: Writer<CommandTarget> = {
  write: (target, value, context) =>
    new Promise((resolve, reject) => {
      const limits = { timeout: target.timeoutMs, killSignal: "SIGKILL", maxBuffer: LARGEST_OUTPUT } as const;
      const child = execFile(target.file, [...target.args], limits, (error, _, stderr) => {
        if (error === null) resolve();
        else reject(new Error(failureOf(error, target, stderr)));
      });
      // A program that does not read its input is as good as one that does.
      child.stdin?.on("error", () => {});
      child.stdin?.end(`${JSON.stringify(inputOf(value, context))}\n`);
    }),
};

const inputOf = (value: number | null, { commitmentKw, ...context }: WriteContext) => ({
  value,
  ...context,
  commitment_kw: commitmentKw,
});

const failureOf = (
  error: Error & { killed?: boolean; code?: unknown },
  target: CommandTarget,
  stderr: string,
): string => {
  if (error.killed === true) return `${target.file} ran longer than ${target.timeoutMs / 1000} s and was stopped`;
  const [line = ""] = stderr.trim().split("\n").slice(-1);
  if (typeof error.code !== "number") return error.message;
  return `${target.file} ended with ${error.code}${line === "" ? "" : `: ${line}`}`;
};
