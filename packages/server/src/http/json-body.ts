import type { FastifyInstance } from "fastify";
import { HttpError } from "./error-replies.js";
import { nameOf } from "./validation.js";

const MAX_NAMED_DEPTH = 10;
const MAX_NAMED_CHARACTERS = 200;

/** Takes JSON bodies only, uncompressed; nothing is coerced, and a key that could reach a prototype is refused. */
export const takeJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", async (request) => {
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      throw new HttpError(400, `Content-Encoding ${encoding} is not taken; send the body uncompressed`);
    }
  });
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
};

/** The value of a JSON body; throws what is to be answered when it is none, or holds what nothing of ours may hold. */
export const parseJson = (body: Buffer): unknown => {
  // A DELETE may announce JSON and bring none; where a body is needed the schema says so.
  if (body.length === 0) return undefined;
  const value = parse(body.toString("utf8"));
  if (mayPoison(body) && hasPoison(value)) {
    throw new HttpError(400, "the body has a member named __proto__ or constructor.prototype; leave it out");
  }
  const nul = body.includes("\\u0000") ? placeOfNul(value) : null;
  if (nul !== null) throw new HttpError(400, `${nul} holds the character U+0000; leave it out`);
  return value;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 quotes the body around the fault; only the place is told.
    const position = /position \d+/.exec(error instanceof Error ? error.message : "")?.[0];
    throw new HttpError(400, `the body is not valid JSON${position === undefined ? "" : ` at ${position}`}`);
  }
};

/** A quick look at the bytes spares the walk through almost every body: both names hold "proto", an escape may hide it. */
const mayPoison = (body: Buffer): boolean => body.includes("proto") || body.includes("\\u");

const hasPoison = (value: unknown): boolean => {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === null || typeof next !== "object") continue;
    if (Object.hasOwn(next, "__proto__")) return true;
    if (Object.hasOwn(next, "constructor") && hasPrototype((next as Record<string, unknown>)["constructor"]))
      return true;
    // One by one: as arguments, the members of a long list would not fit on the stack.
    for (const member of Object.values(next)) if (typeof member === "object") pending.push(member);
  }
  return false;
};

interface Place {
  readonly value: unknown;
  readonly name: string | number;
  readonly above: Place | null;
}

/** Where a text holds a NUL, which the database takes in no text; JSON can write it in one way only. */
const placeOfNul = (body: unknown): string | null => {
  const pending: Place[] = [{ value: body, name: "", above: null }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value } = place;
    if (typeof value === "string" && value.includes("\0")) return namePlace(place);
    if (value === null || typeof value !== "object") continue;
    const members = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, member] of members) {
      if (typeof member === "object" || typeof member === "string") pending.push({ value: member, name, above: place });
    }
  }
  return null;
};

/** The path from the outside in, as far as anybody would read it: depth and names are the sender's. */
const namePlace = (place: Place): string => {
  const path: string[] = [];
  for (let at = place; at.above !== null; at = at.above) path.push(String(at.name));
  return nameOf(path.toReversed().slice(0, MAX_NAMED_DEPTH)).slice(0, MAX_NAMED_CHARACTERS);
};

const hasPrototype = (value: unknown): boolean =>
  value !== null && typeof value === "object" && Object.hasOwn(value, "prototype");
