import { SaxesParser, type SaxesTagNS } from "saxes";
import { decimalOf } from "./cells.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import type { FormatReader, FormatResult } from "./format-reader.js";
import { addRelated, address, type Entry, emptyEntry, type TypeMember, typeMembers } from "./green-button-entry.js";
import { greenButtonSeries } from "./green-button-series.js";
import { type IntervalBudget, IntervalColumns } from "./interval-columns.js";
import { isEstimated } from "./reading-type.js";

const ATOM = "http://www.w3.org/2005/Atom";
const ESPI = "http://naesb.org/espi";
/** The schema needs 8. */
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 64;
/** A day of blocks for fifty meters, for a year. */
const MAX_ENTRIES = 20_000;
/** Longest text of a member. */
const MAX_MEMBER = 200;
/** Longest text, name, comment or attribute: the parser collects it in memory. */
const MAX_CHARACTERS = 200_000;
/** Faults that are kept of an entry. */
const MAX_ENTRY_FAULTS = 20;
const PIECE_CHARACTERS = 32_768;

interface Reading {
  start: string;
  duration: string;
  value: string;
  isEstimated: boolean;
}

/** Reads Green Button: an Atom feed of ESPI resources. */
export class GreenButtonReader implements FormatReader {
  private readonly parser = new SaxesParser({ xmlns: true });
  private readonly path: string[] = [];
  private readonly entries: Entry[] = [];
  private entry: Entry | null = null;
  private reading: Reading | null = null;
  private text = "";
  private attributes = 0;
  /** Where the last whole part of the XML ended. */
  private position = 0;

  constructor(
    private readonly budget: IntervalBudget,
    private readonly faults: FaultList,
  ) {
    const { parser } = this;
    parser.on("error", ({ message }) => {
      throw this.unreadable(`the XML is not well-formed (${message.replace(/^[\d:]*\s*/, "")}); get the file again`);
    });
    parser.on("doctype", () => {
      throw this.unreadable("the file has a document type declaration; send it without");
    });
    parser.on("opentagstart", () => {
      this.advance();
      this.attributes = 0;
    });
    parser.on("attribute", () => {
      this.advance();
      if (++this.attributes > MAX_ATTRIBUTES)
        throw this.unreadable(`an element has more than ${MAX_ATTRIBUTES} attributes; Green Button has a few`);
    });
    parser.on("opentag", (tag) => this.open(tag));
    parser.on("closetag", () => this.close());
    parser.on("text", (text) => this.addText(text));
    parser.on("cdata", (text) => this.addText(text));
    parser.on("comment", () => this.advance());
    parser.on("processinginstruction", () => this.advance());
  }

  get line(): number {
    return this.parser.line;
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      this.parser.write(text.slice(at, at + PIECE_CHARACTERS));
      if (this.parser.position - this.position > MAX_CHARACTERS) throw this.tooLong();
    }
  }

  *finish(): Generator<undefined, FormatResult> {
    this.parser.close();
    return yield* greenButtonSeries(this.entries, this.faults);
  }

  private advance(): void {
    this.position = this.parser.position;
  }

  private tooLong(): Unreadable {
    return this.unreadable(
      `the file has a text, name or comment of more than ${MAX_CHARACTERS} characters; Green Button has short ones`,
    );
  }

  private unreadable(message: string): Unreadable {
    return new Unreadable(this.line, message);
  }

  private open({ local, uri, attributes }: SaxesTagNS): void {
    this.advance();
    const name = uri === ATOM || uri === ESPI ? local : "?";
    if (this.path.length === MAX_DEPTH)
      throw this.unreadable(`the file has more than ${MAX_DEPTH} levels; Green Button has 8`);
    if (this.path.length === 0 && name !== "feed" && name !== "entry")
      throw this.unreadable("the file is no Green Button: its first element must be the feed of Atom");
    this.path.push(name);
    this.text = "";
    if (name === "entry") this.beginEntry();
    else if (name === "link" && this.entry !== null && this.parent() === "entry")
      addLink(this.entry, attributes["rel"]?.value ?? "", attributes["href"]?.value ?? "", this.line);
    else if (this.entry !== null) this.openResource(this.entry, name);
  }

  private beginEntry(): void {
    if (this.entries.length === MAX_ENTRIES)
      throw this.unreadable(`the file has more than ${MAX_ENTRIES} entries; split it into several files`);
    this.entry = emptyEntry(this.line);
    this.entries.push(this.entry);
  }

  private openResource(entry: Entry, name: string): void {
    if (name === "UsagePoint" || name === "MeterReading") entry.kind ??= name;
    else if (name === "ReadingType") {
      entry.kind ??= name;
      entry.type ??= {};
    } else if (name === "IntervalBlock") {
      entry.kind ??= name;
      entry.rows ??= new IntervalColumns(this.budget);
    } else if (name === "IntervalReading") this.reading = { start: "", duration: "", value: "", isEstimated: false };
  }

  private addText(text: string): void {
    this.advance();
    if (this.text.length + text.length > MAX_CHARACTERS) throw this.tooLong();
    this.text += text;
  }

  private close(): void {
    this.advance();
    const name = this.path.pop() ?? "";
    const text = this.text.trim().slice(0, MAX_MEMBER);
    this.text = "";
    const { entry } = this;
    if (entry === null) return;
    if (name === "entry") this.entry = null;
    else if (name === "IntervalReading") this.endReading(entry);
    else if (this.reading !== null) this.readMember(this.reading, name, text);
    else readMember(entry, this.path.at(-1) ?? "", { name, text });
  }

  private parent(): string {
    return this.path.at(-2) ?? "";
  }

  private readMember(reading: Reading, name: string, text: string): void {
    const parent = this.path.at(-1);
    if (parent === "timePeriod" && name === "start") reading.start = text;
    else if (parent === "timePeriod" && name === "duration") reading.duration = text;
    else if (parent === "IntervalReading" && name === "value") reading.value = text;
    else if (parent === "ReadingQuality" && name === "quality") reading.isEstimated ||= isEstimated(text);
  }

  private endReading(entry: Entry): void {
    const { reading, line } = this;
    const { rows } = entry;
    this.reading = null;
    if (reading === null || rows === null) return;
    const fault = faultOf(reading);
    if (fault !== null) addFault(entry, line, fault);
    else
      rows.add({
        startMs: Number(reading.start) * 1000,
        seconds: Number(reading.duration),
        value: decimalOf(reading.value),
        isEstimated: reading.isEstimated,
        line,
      });
  }
}

const faultOf = ({ start, duration, value }: Reading): string | null => {
  if (!/^\d{1,11}$/.test(start)) return `the start of an IntervalReading is ${quoted(start)}; give whole Unix seconds`;
  if (!/^\d{0,7}$/.test(duration))
    return `the duration of an IntervalReading is ${quoted(duration)}; give whole seconds`;
  return Number.isNaN(decimalOf(value)) ? `the value of an IntervalReading is ${quoted(value)}; give a number` : null;
};

/** Kept until it is known whether the entry's series is left out. */
const addFault = (entry: Entry, line: number, message: string): void => {
  entry.faultCount += 1;
  if (entry.faults.length < MAX_ENTRY_FAULTS) entry.faults.push({ line, message });
};

const addLink = (entry: Entry, rel: string, href: string, line: number): void => {
  if (rel === "self") entry.self = address(href, line);
  else if (rel === "up") entry.up = address(href, line);
  else if (rel === "related") addRelated(entry, address(href, line), line);
};

const isTypeMember = (name: string): name is TypeMember => typeMembers.some((each) => each === name);

const readMember = (entry: Entry, parent: string, { name, text }: { name: string; text: string }): void => {
  if (parent === "entry" && name === "id") entry.id = text;
  else if (parent === "entry" && name === "title") entry.title = text;
  else if (parent === "ServiceCategory" && name === "kind") entry.service = text;
  else if (parent === "ReadingType" && entry.type !== null && isTypeMember(name) && text !== "")
    entry.type[name] ??= text;
};
