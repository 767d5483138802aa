import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { auth } from "@curtail/contract";
import type { Browser } from "./people.js";

/** Debian's, which has its packages of the system. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = fileURLToPath(new URL("read-calendar.py", import.meta.url));

/** Whether python3-icalendar is installed, an implementation of iCalendar that is independent of ours. */
export const hasPythonCalendar = spawnSync(PYTHON, ["-c", "import icalendar"]).status === 0;

export interface ParsedEvent {
  readonly uid: string;
  readonly sequence: number;
  readonly status: string;
  readonly start: string;
  readonly end: string;
  readonly stamp: string;
  readonly changed: string;
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  readonly url: string;
  readonly transparency: string;
  readonly alarms: readonly string[];
  readonly errors: readonly string[];
}

interface ParsedCalendar {
  readonly name: string;
  readonly refresh: string;
  readonly method: string | null;
  readonly events: readonly ParsedEvent[];
}

export const parsedCalendar = (file: string): ParsedCalendar => {
  const { status, stdout, stderr } = spawnSync(PYTHON, [SCRIPT], { input: file, encoding: "utf8" });
  if (status !== 0) throw new Error(`python3-icalendar could not read the file: ${stderr}`);
  return JSON.parse(stdout) as ParsedCalendar;
};

/** Creates a calendar; returns its secret path and id. */
export const newCalendar = async (
  person: Browser,
  body: { readonly program_id?: string } = {},
): Promise<{ readonly id: string; readonly path: string }> => {
  const created = await person.auth(auth.createCalendar, { body: { name: "Phone", ...body } });
  if (created.status !== 201) throw new Error(`the calendar was answered ${created.status}: ${created.text}`);
  return { id: created.body.id, path: new URL(created.body.url).pathname };
};
