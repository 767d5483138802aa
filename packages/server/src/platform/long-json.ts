import { turns } from "./turns.js";

/** Longer lists are written in several steps, each of so many elements. */
const LONG = 250;

/** None: JSON is written several times as fast. */
type Replacer = ((name: string, value: unknown) => unknown) | undefined;

/** JSON that is written already, for a reply. */
export class WrittenJson {
  constructor(readonly bytes: Buffer) {}
}

/** Whether a value has a list that is written in several steps. */
export const isLong = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length > LONG || value.some(isLong) : Object.values(value).some(isLong);
};

/** What JSON.stringify would return, as bytes; others have a turn while long lists are written. */
export const jsonInTurns = async (value: object): Promise<Buffer> => {
  const othersTurn = turns();
  const pieces: Buffer[] = [];
  let length = 0;
  for (const piece of jsonPieces(value)) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    length += bytes.length;
    await othersTurn();
  }
  const json = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(json, at);
    await othersTurn();
  }
  return json;
};

/** Pieces of what JSON.stringify would return for values as they are in JSON. */
export function* jsonPieces(value: unknown, replacer?: Replacer): Generator<string> {
  if (!isLong(value)) yield JSON.stringify(value, replacer);
  else if (Array.isArray(value)) yield* listPieces(value, replacer);
  else yield* objectPieces((replacer === undefined ? value : replacer("", value)) as object, replacer);
}

function* objectPieces(members: object, replacer: Replacer): Generator<string> {
  let before = "{";
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(member, replacer);
    before = ",";
  }
  yield "}";
}

function* listPieces(list: readonly unknown[], replacer: Replacer): Generator<string> {
  for (let at = 0; at < list.length; at += LONG) {
    yield at === 0 ? "[" : ",";
    yield* elementPieces(list.slice(at, at + LONG), replacer);
  }
  yield "]";
}

function* elementPieces(elements: readonly unknown[], replacer: Replacer): Generator<string> {
  if (!elements.some(isLong)) {
    yield JSON.stringify(elements, replacer).slice(1, -1);
    return;
  }
  for (const [at, element] of elements.entries()) {
    if (at > 0) yield ",";
    yield* jsonPieces(element ?? null, replacer);
  }
}
