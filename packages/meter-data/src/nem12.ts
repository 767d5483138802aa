import { cellsOf } from "./cells.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import type { FormatReader, FormatResult } from "./format-reader.js";
import { type IntervalBudget, IntervalColumns, MAX_SERIES } from "./interval-columns.js";
import { LineSplitter } from "./line-splitter.js";
import type { Fault, LeftOut, Series } from "./meter-data.js";
import { type Channel, channelOf, reasonToLeaveOut, statedIn } from "./nem12-channel.js";
import { Nem12Day } from "./nem12-day.js";
import { settled } from "./settle-series.js";

/** Market time: eastern standard time of Australia, without daylight saving time. */
export const MARKET_OFFSET_MS = 10 * 3_600_000;

const NEM13 = "the file is NEM13, which has totals between two visits and no intervals; get NEM12, which has intervals";

type Place = "before" | "inside" | "after";
/** A stream is followed, left out, or none has begun. */
type Current = Channel | "left_out" | null;

/** Reads NEM12 of the Meter Data File Format of AEMO. */
export class Nem12Reader implements FormatReader {
  private readonly lines = new LineSplitter((text, line) => this.read(text, line));
  private readonly channels = new Map<string, Channel>();
  private readonly leftOut = new Map<string, LeftOut>();
  private readonly report = (line: number, message: string): void => this.faults.add(line, message);
  private readonly notes: Fault[] = [];
  private place: Place = "before";
  /** With a 100 record, which some portals leave out. */
  private hasBegun = false;
  private channel: Current = null;
  private day: Nem12Day | null = null;

  constructor(
    private readonly budget: IntervalBudget,
    private readonly faults: FaultList,
    private readonly offsetMs: number,
  ) {}

  get line(): number {
    return this.lines.line;
  }

  add(text: string): void {
    this.lines.add(text);
  }

  *finish(): Generator<undefined, FormatResult> {
    this.lines.end();
    if (this.place === "inside") {
      this.closeDay();
      if (this.hasBegun)
        this.report(this.line, "the file ends without its 900 record; it may be cut off, get it again");
      else
        this.notes.push({
          line: this.line,
          message: "the file has neither a 100 nor a 900 record; nothing says that it is whole",
        });
    }
    const series: Series[] = [];
    for (const { name, meter, unit, columns } of this.channels.values()) {
      const description = meter === "" ? null : `meter ${meter}`;
      series.push({ name, description, unit: unit.name, intervals: yield* settled(name, columns, this.faults) });
    }
    return { series, leftOut: [...this.leftOut.values()], notes: this.notes };
  }

  private read(text: string, line: number): void {
    if (text.trim() === "") return;
    const cells = cellsOf(text, ",");
    const kind = cells?.[0] ?? "";
    if (kind === "400" || kind === "300" || kind === "200" || kind === "500") this.readInside(kind, cells ?? [], line);
    else if (kind === "100") this.begin(cells ?? [], line);
    else if (kind === "900") this.end(line);
    else if (kind === "250" || kind === "550") throw new Unreadable(line, NEM13);
    else this.report(line, `${quoted(text)} is no record of NEM12; records begin with 100, 200, 300, 400, 500 or 900`);
  }

  private begin([, version = ""]: readonly string[], line: number): void {
    if (version === "NEM13") throw new Unreadable(line, NEM13);
    if (version !== "NEM12") this.report(line, `the 100 record names ${quoted(version)}; it must name NEM12`);
    if (this.place === "inside")
      this.report(line, "a 100 record follows before the 900 record; the file may be cut off");
    this.closeDay();
    this.place = "inside";
    this.hasBegun = true;
    this.channel = null;
  }

  private end(line: number): void {
    if (this.place !== "inside") this.report(line, "a 900 record ends a file that has not begun with a 100 record");
    this.closeDay();
    this.place = "after";
    this.channel = null;
  }

  private readInside(kind: "200" | "300" | "400" | "500", cells: readonly string[], line: number): void {
    if (this.place === "before" && kind === "200") this.place = "inside";
    if (this.place === "before")
      throw new Unreadable(
        line,
        "the file does not begin with a 100 record that names NEM12, or with the 200 record of a meter",
      );
    if (this.place === "after") this.report(line, `a ${kind} record follows the 900 record, which ends the file`);
    else if (kind === "200") this.beginChannel(cells, line);
    else if (kind === "300") this.beginDay(cells, line);
    else if (kind === "400") this.day?.addQuality(cells, line, this.report);
  }

  private beginChannel(cells: readonly string[], line: number): void {
    this.closeDay();
    const stated = statedIn(cells);
    const isNew = !this.channels.has(stated.name) && !this.leftOut.has(stated.name);
    if (isNew && this.channels.size + this.leftOut.size === MAX_SERIES)
      throw new Unreadable(line, `the file has more than ${MAX_SERIES} data streams; split it into several files`);
    const reason = reasonToLeaveOut(stated);
    if (reason !== null) {
      if (isNew) this.leftOut.set(stated.name, { name: stated.name, line, reason });
      this.channel = "left_out";
      return;
    }
    const known = this.channels.get(stated.name);
    const columns = known?.columns ?? new IntervalColumns(this.budget);
    const channel = channelOf(stated, columns, (message) => this.report(line, message));
    // The days of a channel with a fault are not read: one fault is enough.
    this.channel = channel ?? "left_out";
    if (channel !== null) this.channels.set(stated.name, channel);
  }

  private beginDay(cells: readonly string[], line: number): void {
    this.closeDay();
    if (this.channel === null) this.report(line, "a 300 record comes before any 200 record, which names its meter");
    else if (this.channel !== "left_out")
      this.day = Nem12Day.of(this.channel, { cells, line }, this.offsetMs, this.report);
  }

  private closeDay(): void {
    this.day?.close(this.report);
    this.day = null;
  }
}
