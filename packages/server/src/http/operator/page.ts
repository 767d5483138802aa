import { invalid, isRefusal, type Result } from "../../domain/refusal.js";
import type { Page, PageRequest } from "../../operations/ports.js";

const DEFAULT_LIMIT = 100;

/** Cursors are opaque to clients, so that what they stand for may change. */
const encode = (sequence: number): string => Buffer.from(`s${sequence}`).toString("base64url");

const decode = (cursor: string): number | null => {
  const match = /^s(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  return match === null ? null : Number(match[1]);
};

interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

interface WirePage<W> {
  items: W[];
  next_cursor: string | null;
}

/** Answers a list of the operator API: reads the cursor, asks the store, writes the next cursor. */
export const listed = async <T, W>(
  query: PageQuery,
  list: (page: PageRequest) => Promise<Page<T>>,
  toWire: (item: T) => W,
): Promise<Result<WirePage<W>>> => {
  const page = pageRequest(query);
  if (isRefusal(page)) return page;
  const { items, next } = await list(page);
  return { items: items.map(toWire), next_cursor: next === null ? null : encode(next) };
};

const pageRequest = ({ cursor, limit = DEFAULT_LIMIT }: PageQuery): Result<PageRequest> => {
  if (cursor === undefined) return { after: null, limit };
  const after = decode(cursor);
  return after === null
    ? invalid("cursor is not one that this service gave; start without a cursor")
    : { after, limit };
};
