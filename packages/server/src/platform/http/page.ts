import type { Page, PageRequest } from "../page.js";
import { invalid, isRefusal, type Result } from "../refusal.js";

const DEFAULT_LIMIT = 100;

/** How a list encodes the position of an item in a cursor, and decodes it; ASCII only. */
export interface CursorForm<C> {
  write(place: C): string;
  read(text: string): C | null;
}

const bySequence: CursorForm<number> = {
  write: (sequence) => `s${sequence}`,
  read(text) {
    const match = /^s(\d{1,15})$/.exec(text);
    return match === null ? null : Number(match[1]);
  },
};

interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

interface WirePage<W> {
  items: W[];
  next_cursor: string | null;
}

interface List<T, W, C> {
  readonly form: CursorForm<C>;
  readonly list: (page: PageRequest<C>) => Promise<Result<Page<T, C>>>;
  readonly toWire: (item: T) => W;
}

/** Answers a list of the operator API or the console, in order of creation. */
export const listed = <T, W>(
  query: PageQuery,
  list: (page: PageRequest) => Promise<Result<Page<T>>>,
  toWire: (item: T) => W,
): Promise<Result<WirePage<W>>> => listedBy(query, { form: bySequence, list, toWire });

/** Answers a list of the operator API or the console: reads the cursor, queries the store, writes the next cursor. */
export const listedBy = async <T, W, C>(
  query: PageQuery,
  { form, list, toWire }: List<T, W, C>,
): Promise<Result<WirePage<W>>> => {
  const request = pageRequest(query, form);
  if (isRefusal(request)) return request;
  const page = await list(request);
  if (isRefusal(page)) return page;
  return { items: page.items.map(toWire), next_cursor: page.next === null ? null : encode(form.write(page.next)) };
};

/** A part of a list that is in memory, in the order of its places. */
export const pageOfAll = <T>(
  items: readonly T[],
  placeOf: (item: T) => string,
  { cursor, limit }: PageQuery & { readonly limit: number },
): Result<{ readonly items: readonly T[]; readonly next_cursor: string | null }> => {
  const page = pageRequest({ limit, ...(cursor === undefined ? {} : { cursor }) }, byText);
  if (isRefusal(page)) return page;
  const { after } = page;
  const rest = after === null ? items : items.filter((item) => placeOf(item) > after);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const isMore = last !== undefined && rest.length > shown.length;
  return { items: shown, next_cursor: isMore ? encode(byText.write(placeOf(last))) : null };
};

const byText: CursorForm<string> = {
  write: (place) => `t${encodeURIComponent(place)}`,
  read(text) {
    try {
      return text.startsWith("t") ? decodeURIComponent(text.slice(1)) : null;
    } catch {
      return null;
    }
  },
};

/** Opaque to clients, so that the content may change. */
const encode = (text: string): string => Buffer.from(text, "latin1").toString("base64url");
const decode = (cursor: string): string => Buffer.from(cursor, "base64url").toString("latin1");

const pageRequest = <C>({ cursor, limit = DEFAULT_LIMIT }: PageQuery, form: CursorForm<C>): Result<PageRequest<C>> => {
  if (cursor === undefined) return { after: null, limit };
  const after = form.read(decode(cursor));
  return after === null ? invalid("cursor is not valid; start again without a cursor") : { after, limit };
};
