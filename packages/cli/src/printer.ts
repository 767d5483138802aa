import type { AdminSettings, CommandIo } from "./admin-io.js";
import { type Style, styleFor } from "./human-form.js";

/** Writes results to standard output; remarks go to standard error, so that pipes get only results. */
export interface Printer {
  readonly isJson: boolean;
  readonly style: Style;
  text(text: string): void;
  line(text: string): void;
  note(text: string): void;
}

export const printerOf = (io: CommandIo, settings: Pick<AdminSettings, "noColor">, isJson: boolean): Printer => ({
  isJson,
  style: styleFor(io.stdout.isTTY === true && !settings.noColor),
  text: (text) => void io.stdout.write(text),
  line: (text) => void io.stdout.write(`${text}\n`),
  note: (text) => void io.stderr.write(`${text}\n`),
});
