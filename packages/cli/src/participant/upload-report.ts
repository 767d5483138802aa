import { appendFileSync, writeFileSync } from "node:fs";
import { CommandFailure, messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import type { Printer } from "../printer.js";
import { grouped, readingsText } from "../replay-progress.js";
import { unsuccessful } from "./participant-call.js";

/** A reading that the service refused, or a line that is none. */
export interface RefusedReading {
  /** Its place in what was read; null if an earlier run read it. */
  readonly index: number | null;
  /** Text if it is no JSON. */
  readonly reading: object | string;
  readonly reason: string;
}

/** Most refused readings that are kept for the answer: standard input may have no end. */
const LISTED = 1000;

/** What became of the readings of an upload; refused ones also go to the file of `--set-aside`. */
export class UploadReport {
  stored = 0;
  setAside = 0;
  private readonly refused: RefusedReading[] = [];
  private readonly warnings = new Set<string>();
  private isBegun = false;

  constructor(
    private readonly print: Printer,
    private readonly asideFile: string | undefined,
    private readonly listed = LISTED,
  ) {}

  /** Empties the file of refused readings, once. */
  begin(): void {
    const file = this.asideFile;
    if (file !== undefined && !this.isBegun) writing(file, () => writeFileSync(file, ""));
    this.isBegun = true;
  }

  refuse(refused: readonly RefusedReading[]): void {
    const file = this.asideFile;
    const lines = refused.map(lineOf);
    if (file !== undefined && refused.length > 0) writing(file, () => appendFileSync(file, lines.join("")));
    this.setAside += refused.length;
    this.refused.push(...refused.slice(0, Math.max(0, this.listed - this.refused.length)));
  }

  /** What production would refuse, each once. */
  warn(warnings: readonly string[]): void {
    for (const warning of warnings) if (this.warnings.size < this.listed) this.warnings.add(warning);
  }

  /** @param keptIn where refused readings are kept in any case */
  show(keptIn?: string): void {
    const { print, stored, setAside, refused, asideFile } = this;
    const warnings = [...this.warnings];
    if (print.isJson) print.line(JSON.stringify({ stored, set_aside_count: setAside, set_aside: refused, warnings }));
    else print.line(`${readingsText(stored)} stored, ${grouped(setAside)} set aside.`);
    for (const { index, reading, reason } of refused.slice(0, SHOWN))
      print.note(`${index === null ? shortened(reading) : `reading ${index + 1}`}: ${harmless(reason)}`);
    for (const warning of warnings.slice(0, SHOWN)) print.note(`warning: ${harmless(warning)}`);
    if (warnings.length > SHOWN)
      print.note(`and ${grouped(warnings.length - SHOWN)} more warnings: list them with --json`);
    const more = setAside - Math.min(refused.length, SHOWN);
    if (more > 0)
      print.note(`and ${grouped(more)} more: ${asideFile ?? keptIn ?? "list them with --json or --set-aside FILE"}`);
  }

  /** Throws a `CommandFailure` if the service does not have everything. */
  conclude(keptIn?: string): void {
    if (this.setAside === 0) return;
    const where = keptIn === undefined ? "" : `; they are kept in ${keptIn}`;
    throw unsuccessful(`not all readings are stored: correct those that were set aside, and upload them again${where}`);
  }
}

const SHOWN = 20;

const lineOf = ({ reading, reason }: RefusedReading): string =>
  `${JSON.stringify(typeof reading === "string" ? { record: reading, reason } : { ...reading, reason })}\n`;

const shortened = (reading: object | string): string => {
  const text = harmless(typeof reading === "string" ? reading : JSON.stringify(reading));
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
};

const writing = (file: string, write: () => void): void => {
  try {
    write();
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written: ${messageOf(error)}`, undefined, { cause: error });
  }
};
