import { appendFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { grouped, readingsText } from "../replay-progress.js";
import { replaceFile, textIn } from "../whole-file.js";
import { faultsFileOf, type Places, type Verdict } from "./watch-places.js";
import { type FoundFile, fileAt, isSameFile } from "./watched-files.js";

/** What a watch did on a day of the machine's calendar. */
interface Tally {
  readonly day: string;
  readonly done: number;
  readonly refused: number;
  readonly stored: number;
  readonly setAside: number;
}

/** A file whose readings are dealt with, on its way out of the folder. */
export interface Moving {
  readonly file: FoundFile;
  readonly verdict: Verdict;
  /** Where it goes. */
  readonly to: string;
  readonly stored: number;
  readonly setAside: number;
}

interface Kept {
  readonly tally: Tally;
  readonly moving: Moving | null;
}

const noneOn = (day: string): Tally => ({ day, done: 0, refused: 0, stored: 0, setAside: 0 });

/**
 * What a watch remembers over kills. What becomes of a file is written together with the count of its day before the file
 * is moved; a kill in between leaves the move to the next run.
 */
export class WatchState {
  private constructor(
    private readonly places: Places,
    private kept: Kept,
  ) {}

  static open(places: Places, day: string): WatchState {
    return new WatchState(places, keptIn(places.state) ?? { tally: noneOn(day), moving: null });
  }

  get tally(): Tally {
    return this.kept.tally;
  }

  /** Begins the count of another day; returns that of the day that is over, null if it is none. */
  turnTo(day: string): Tally | null {
    const { tally } = this.kept;
    if (tally.day === day) return null;
    const { summary } = this.places;
    // A kill may have come after the line and before the new count.
    const written = textIn(summary) ?? "";
    if (!written.split("\n").some((line) => line.startsWith(`${tally.day}: `)))
      appendFileSync(summary, `${tallyText(tally)}\n`);
    this.keep({ ...this.kept, tally: noneOn(day) });
    return tally;
  }

  /** Decides what becomes of a file. @param faults to lie beside it; null for none */
  decide(moving: Moving, faults: string | null): void {
    if (faults === null) rmSync(this.places.faults, { force: true });
    else replaceFile(this.places.faults, faults);
    const { tally } = this.kept;
    const { verdict, stored, setAside } = moving;
    const counted = { stored: tally.stored + stored, setAside: tally.setAside + setAside };
    this.keep({ moving, tally: { ...tally, ...counted, [verdict]: tally[verdict] + 1 } });
  }

  /** Moves the file that was decided; returns it, null if there is none or it is gone. */
  async move(): Promise<Moving | null> {
    const { moving } = this.kept;
    if (moving === null) return null;
    const { folder, faults } = this.places;
    const there = await fileAt(folder, moving.file.name);
    const isLeft = there !== null && isSameFile(there, moving.file) && !existsSync(moving.to);
    if (existsSync(faults) && (isLeft || existsSync(moving.to))) renameSync(faults, faultsFileOf(moving.to));
    if (isLeft) renameSync(join(folder, moving.file.name), moving.to);
    this.keep({ ...this.kept, moving: null });
    return existsSync(moving.to) ? moving : null;
  }

  private keep(kept: Kept): void {
    replaceFile(this.places.state, JSON.stringify(kept));
    this.kept = kept;
  }
}

/** Null for none, also if a loss of power damaged it: then only counts are lost. */
const keptIn = (file: string): Kept | null => {
  try {
    return JSON.parse(textIn(file) ?? "null") as Kept | null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** `2026-11-27: 12 files done, 1 refused; 34,560 readings stored, 3 refused` */
export const tallyText = ({ day, done, refused, stored, setAside }: Tally): string =>
  `${day}: ${grouped(done)} ${done === 1 ? "file" : "files"} done, ${grouped(refused)} refused; ${readingsText(stored)} stored, ${grouped(setAside)} refused`;
