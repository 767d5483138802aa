import { Unreadable } from "./fault-list.js";

/** A day of 30-second values has 40 KB. */
const MAX_LINE_CHARACTERS = 200_000;

/** Cuts text that arrives in pieces into numbered lines. */
export class LineSplitter {
  private rest = "";
  /** Number of the last complete line. */
  line = 0;

  constructor(private readonly take: (text: string, line: number) => void) {}

  add(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.give(line);
    if (this.rest.length > MAX_LINE_CHARACTERS) throw tooLong(this.line + 1);
  }

  end(): void {
    if (this.rest !== "") this.give(this.rest);
    this.rest = "";
  }

  private give(text: string): void {
    this.line += 1;
    if (text.length > MAX_LINE_CHARACTERS) throw tooLong(this.line);
    this.take(text.endsWith("\r") ? text.slice(0, -1) : text, this.line);
  }
}

const tooLong = (line: number) =>
  new Unreadable(
    line,
    `the line has more than ${MAX_LINE_CHARACTERS} characters; check that the file is of this format`,
  );
