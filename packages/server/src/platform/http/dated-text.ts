import type { Identified, Translation } from "@curtail/contract";
import type { Entity } from "../dated-ids.js";

/** The number of each entity, by id. */
export type NumbersOf = (entities: readonly Entity[]) => Promise<ReadonlyMap<string, number>>;

interface Renamed {
  readonly name: string;
  /** Of an id: what it identifies. */
  readonly of: Identified | null;
}

/**
 * Translates JSON that the service wrote itself, piece by piece: replies that are written as bytes are too long to be
 * parsed. Their texts contain no names of members.
 */
export class DatedText {
  private readonly renamed: ReadonlyMap<string, Renamed>;
  private readonly pattern: RegExp;

  constructor(translation: Translation | null) {
    this.renamed = new Map(renamedIn(translation));
    this.pattern = new RegExp(`"(${[...this.renamed.keys()].join("|")})":(?:"([^"]*)")?`, "g");
  }

  async whole(json: Buffer, numbersOf: NumbersOf): Promise<Buffer> {
    return Buffer.from(await this.translated(json.toString("latin1"), numbersOf), "latin1");
  }

  async *pieces(chunks: AsyncIterable<Buffer>, numbersOf: NumbersOf): AsyncGenerator<Buffer> {
    let rest = "";
    for await (const chunk of chunks) {
      const text = rest + chunk.toString("latin1");
      // A member that is translated is the first of its object: behind the last bracket it may be cut.
      const end = Math.max(0, text.lastIndexOf("{"));
      rest = text.slice(end);
      if (end > 0) yield Buffer.from(await this.translated(text.slice(0, end), numbersOf), "latin1");
    }
    yield Buffer.from(await this.translated(rest, numbersOf), "latin1");
  }

  private async translated(text: string, numbersOf: NumbersOf): Promise<string> {
    if (this.renamed.size === 0) return text;
    const entities: Entity[] = [];
    for (const [, name = "", id] of text.matchAll(this.pattern)) {
      const kind = this.renamed.get(name)?.of ?? null;
      if (kind !== null && id !== undefined) entities.push({ kind, id });
    }
    const numbers = await numbersOf(entities);
    return text.replaceAll(this.pattern, (whole, name: string, id: string | undefined) => {
      const to = this.renamed.get(name);
      if (to === undefined) return whole;
      if (id === undefined) return `"${to.name}":`;
      return `"${to.name}":${to.of === null ? `"${id}"` : String(numbers.get(id))}`;
    });
  }
}

function* renamedIn(translation: Translation | null): Generator<readonly [string, Renamed]> {
  if (translation === null) return;
  for (const [from, { name, within }] of translation.members) {
    const of = within?.identifies ?? null;
    if (from !== name || of !== null) yield [from, { name, of }];
    yield* renamedIn(within);
  }
  yield* renamedIn(translation.items);
  yield* renamedIn(translation.others);
}
