import { harmless } from "../human-form.js";
import { grouped } from "../replay-progress.js";
import type { RefusedReading } from "./upload-report.js";
import type { FoundFile } from "./watched-files.js";

/** Refused readings that are listed; more have the same few reasons. */
const LISTED = 10_000;

/** What is next to a refused file: why it was not read, or which of its readings the service refused. */
export const faultsText = (
  { name, bytes, modified_at }: FoundFile,
  faults: string | readonly RefusedReading[],
): string => {
  const head = `${harmless(name)}, ${grouped(bytes)} bytes, of ${modified_at}`;
  if (typeof faults === "string")
    return `${head}\nNothing of it was uploaded.\n\n${faults.split("\n").map(harmless).join("\n")}\n`;
  const lines = faults.slice(0, LISTED).map(lineOf);
  const more = faults.length > LISTED ? [`and ${grouped(faults.length - LISTED)} more`] : [];
  const what = `The service refused ${grouped(faults.length)} of its readings; all others are stored.`;
  return `${[head, what, "", ...lines, ...more].join("\n")}\n`;
};

const lineOf = ({ index, reading, reason }: RefusedReading): string =>
  harmless(`reading ${(index ?? 0) + 1}: ${reason}: ${JSON.stringify(reading)}`);
