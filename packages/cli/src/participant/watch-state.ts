import { appendFileSync, existsSync, lstatSync, renameSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { grouped, readingsText } from "../replay-progress.js";
import { replaceFile, textIn } from "../whole-file.js";
import { isOfDisk } from "./of-disk.js";
import { type Kept, keptOf, type Moved, type Moving, noneOn, type Tally } from "./watch-kept.js";
import { faultsFileOf, freePlace, type Places, type Verdict, waitingFaults } from "./watch-places.js";
import { type FoundFile, fileAt, isSameFile } from "./watched-files.js";

/** Files that wait for their move before no other is taken, and moved ones that are looked at again. */
const MOST_MOVES = 1000;
const MOST_MOVED = 1000;
const LOOKED_AT_MS = 24 * 60 * 60 * 1000;

type Say = (words: string) => void;

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
    return new WatchState(places, keptOf(textIn(places.state)) ?? { tally: noneOn(day), moves: [], moved: [] });
  }

  get tally(): Tally {
    return this.kept.tally;
  }

  /** Names of files that are dealt with and not moved yet. */
  get waiting(): readonly string[] {
    return this.kept.moves.map(({ file }) => file.name);
  }

  /** Whether no other file may be decided before some are moved. */
  get isFull(): boolean {
    return this.kept.moves.length >= MOST_MOVES;
  }

  /** Begins the count of another day; returns that of the day that is over, null if it is none. */
  turnTo(day: string, say: Say): Tally | null {
    const { tally } = this.kept;
    if (tally.day === day) return null;
    const { summary } = this.places;
    // Who may put files here may put a link here, which could lead anywhere.
    const isOther = lstatSync(summary, { throwIfNoEntry: false })?.isFile() === false;
    if (isOther) say(`${summary} is a link or no file; remove it: the count of a day is added to a file of that name`);
    // A kill may have come after the line and before the new count.
    else if (!(textIn(summary) ?? "").split("\n").some((line) => line.startsWith(`${tally.day}: `)))
      appendFileSync(summary, `${tallyText(tally)}\n`);
    this.keep({ ...this.kept, tally: noneOn(day) });
    return tally;
  }

  /** Where a file goes: one that was moved to `done` before stays there. */
  placeFor({ name }: FoundFile, verdict: Verdict): string {
    const { folder } = this.places;
    if (isMovedBefore(name) && verdict === "done") return join(folder, name);
    const promised = this.kept.moves.map(({ to }) => to);
    return freePlace(folder, verdict, name, promised);
  }

  /** Decides what becomes of a file. @param faults to write next to it; null for none */
  decide(moving: Moving, faults: string | null): void {
    const waiting = waitingFaults(this.places, moving.to);
    if (faults === null) rmSync(waiting, { force: true });
    else replaceFile(waiting, faults);
    const { tally, moves } = this.kept;
    const { verdict, stored, setAside } = moving;
    const counted = { stored: tally.stored + stored, setAside: tally.setAside + setAside };
    this.keep({
      ...this.kept,
      moves: [...moves, moving],
      tally: { ...tally, ...counted, [verdict]: tally[verdict] + 1 },
    });
  }

  /** Moves each file that was decided, but those that cannot be moved yet; returns it, unless it is gone. */
  async *move(now: Date, say: Say): AsyncGenerator<Moving> {
    for (const moving of this.kept.moves) {
      try {
        const isThere = await this.moveOne(moving);
        const moves = this.kept.moves.filter((each) => each !== moving);
        this.keep({ ...this.kept, moves, moved: isThere ? this.movedWith(moving, now) : this.kept.moved });
        if (isThere) yield moving;
      } catch (error) {
        if (!isOfDisk(error)) throw error;
        const name = harmless(moving.file.name);
        say(
          `${name} is dealt with and cannot be moved: ${harmless(messageOf(error))}; such files stay where they are, and it is tried again`,
        );
      }
    }
  }

  /** Files that changed after they were moved to `done`: their delivery stalled, and went on. */
  async changed(now: Date): Promise<readonly FoundFile[]> {
    const recent = recentOf(this.kept.moved, now);
    const files = await Promise.all(recent.map(({ name }) => fileAt(this.places.folder, name)));
    return files.filter((file, at): file is FoundFile => {
      const before = recent[at];
      return file !== null && before !== undefined && !isSameFile(file, before);
    });
  }

  private async moveOne({ file, to }: Moving): Promise<boolean> {
    const { folder } = this.places;
    const waiting = waitingFaults(this.places, to);
    const there = await fileAt(folder, file.name);
    if (there !== null && isSameFile(there, file) && !existsSync(to)) renameSync(join(folder, file.name), to);
    const isMoved = existsSync(to);
    if (!isMoved) rmSync(waiting, { force: true });
    else if (existsSync(waiting)) renameSync(waiting, faultsFileOf(to));
    return isMoved;
  }

  private movedWith({ file, verdict, to }: Moving, now: Date): readonly Moved[] {
    const name = relative(this.places.folder, to);
    const others = recentOf(this.kept.moved, now).filter((each) => each.name !== name && each.name !== file.name);
    // Who looks into `refused` may change a file there.
    if (verdict === "refused") return others;
    return [...others, { ...file, name, moved_at: now.toISOString() }].slice(-MOST_MOVED);
  }

  private keep(kept: Kept): void {
    replaceFile(this.places.state, JSON.stringify(kept));
    this.kept = kept;
  }
}

/** Whether it has a folder in its name. */
export const isMovedBefore = (name: string): boolean => basename(name) !== name;

const recentOf = (moved: readonly Moved[], now: Date): readonly Moved[] =>
  moved.filter(({ moved_at }) => now.getTime() - Date.parse(moved_at) < LOOKED_AT_MS);

/** `2026-11-27: 12 files done, 1 refused; 34,560 readings stored, 3 refused` */
export const tallyText = ({ day, done, refused, stored, setAside }: Tally): string =>
  `${day}: ${grouped(done)} ${done === 1 ? "file" : "files"} done, ${grouped(refused)} refused; ${readingsText(stored)} stored, ${grouped(setAside)} refused`;
