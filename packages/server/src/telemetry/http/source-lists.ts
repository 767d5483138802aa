import { BoundedMap } from "../../platform/bounded-map.js";
import type { ReadingSource } from "../domain/reading.js";
import type { JsonBytes } from "./json-bytes.js";

/** Shorter lists are read in no time. */
const FEWEST = 8;
/** For some 250,000 sources. */
const MOST_BYTES = 32 * 1024 * 1024;
const SOURCE_BYTES = 130;

/** What an upload named, in its order, each once: the next upload of the same meters is compared with it byte by byte. */
export class SourceList {
  private readonly bytes: Buffer;
  private readonly ends: Int32Array;

  constructor(readonly sources: readonly ReadingSource[]) {
    this.bytes = Buffer.from(sources.map(({ id }) => id).join(""), "latin1");
    this.ends = new Int32Array(sources.length);
    let end = 0;
    for (const [index, { id }] of sources.entries()) this.ends[index] = end += id.length;
  }

  /** Whether the text that was read is the id of the source at this place, of the reading numbered `at`. */
  has(place: number, kind: ReadingSource["kind"], at: number, json: JsonBytes): boolean {
    const source = this.sources[place];
    if (source === undefined || source.kind !== kind || source.at !== at) return false;
    const start = place === 0 ? 0 : (this.ends[place - 1] ?? 0);
    const length = (this.ends[place] ?? 0) - start;
    return json.textEnd - json.textStart === length && json.textBeginsLike(this.bytes, start, length);
  }
}

/** Lists of uploads before, by their first source. A gateway sends its meters in the same order each time. */
export class SourceLists {
  private readonly lists = new BoundedMap<SourceList>(MOST_BYTES);

  find(kind: ReadingSource["kind"], firstId: string): SourceList | null {
    return this.lists.get(`${kind} ${firstId}`) ?? null;
  }

  keep(sources: readonly ReadingSource[]): void {
    const [first] = sources;
    if (first === undefined || sources.length < FEWEST) return;
    this.lists.set(`${first.kind} ${first.id}`, new SourceList(sources), sources.length * SOURCE_BYTES);
  }
}
