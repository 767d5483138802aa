import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { nextTurn } from "../turns.js";
import { BODY_BYTES, bodyLimitOf } from "./body-limits.js";
import { HttpError } from "./error-replies.js";
import { isGzip, refusalOfEncoding } from "./gzip-body.js";
import { notJson, scanJson } from "./json-scan.js";
import type { OpenBodies } from "./open-bodies.js";
import { receiveBody } from "./receive-body.js";
import { nameOf } from "./validation.js";

/** Accepts only JSON bodies, compressed only where `takeGzip` allows it; coerces nothing, and refuses keys that could reach a prototype. */
export const takeJsonBodies = (app: FastifyInstance, bodies: OpenBodies): void => {
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", (request, reply, _payload, done) => {
    // A body that arrived with its headers takes no more than a socket buffer, unless it is unpacked.
    if (!request.raw.complete || isGzip(request)) bodies.hold(request, reply);
    done(refusalOfEncoding(request) ?? undefined);
  });
  app.addContentTypeParser("application/json", async (request: FastifyRequest) =>
    parseJson(await receiveBody(request, bodies), mostValuesIn(bodyLimitOf(request))),
  );
};

/** Those of OpenADR reports have seven bytes each. The operator's longest lists have four for each of 50,000 sites. */
const mostValuesIn = (limitBytes: number): number => Math.min(Math.floor(limitBytes / 5), 200_000);

/** Parses a JSON body; throws the error answer if it is invalid or holds a forbidden key or character. */
const parseJson = async (body: Buffer, mostValues: number): Promise<unknown> => {
  // A DELETE may declare JSON and have no body; the schema says where a body is required.
  if (body.length === 0) return undefined;
  const { hasCodes } = await scanJson(body, mostValues);
  if (body.length <= BODY_BYTES)
    return checked(parse(textOf(body), whole.position), { ...whole, json: body, hasCodes });
  const value = parse(await textInTurns(body), whole.position);
  await nextTurn();
  return checked(value, { ...whole, json: body, hasCodes });
};

/** Text of a large body, decoded in pieces; what is parsed and what is done with it have steps of their own. */
const textInTurns = async (body: Buffer): Promise<string> => {
  refuseOtherThanUtf8(body);
  const decoder = new StringDecoder("utf8");
  let text = "";
  for (let at = 0; at < body.length; at += BODY_BYTES) {
    text += decoder.write(body.subarray(at, at + BODY_BYTES));
    await nextTurn();
  }
  return text;
};

/** Location of a part of the body that is parsed on its own. */
export interface PartOf {
  /** Converts a position in the part to one in the body. */
  readonly position: (at: number) => number;
  /** Path in the body of a value in the part. */
  readonly path: (within: readonly string[]) => readonly string[];
}

const whole: PartOf = { position: (at) => at, path: (within) => within };

/** Parses JSON whose depth and names were already checked. */
export const parsePart = (json: Buffer, { position, path }: PartOf = whole): unknown =>
  checked(parse(textOf(json), position), { json, hasCodes: json.includes("\\u"), path });

const textOf = (json: Buffer): string => {
  refuseOtherThanUtf8(json);
  return json.toString("utf8");
};

const refuseOtherThanUtf8 = (json: Buffer): void => {
  if (!isUtf8(json)) throw new HttpError(400, "the body is not UTF-8; send JSON in UTF-8");
};

interface Parsed extends Pick<PartOf, "path"> {
  readonly json: Buffer;
  /** Whether a text has an escape such as \u0000. */
  readonly hasCodes: boolean;
}

const checked = (value: unknown, { json, hasCodes, path }: Parsed): unknown => {
  if ((hasCodes || json.includes("proto")) && hasPoison(value)) {
    throw new HttpError(400, "the body has a member named __proto__ or constructor.prototype; remove it");
  }
  const nul = hasCodes && json.includes("\\u0000") ? placeOfNul(value) : null;
  if (nul !== null) throw new HttpError(400, `${nameOf(path(nul))} contains the character U+0000; remove it`);
  return value;
};

const parse = (text: string, position: PartOf["position"]): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 quotes the body around the fault; we return only the position. Without a position, the body ended too early.
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    throw notJson(position(at === undefined ? text.length : Number(at)));
  }
};

/** Walking almost every body is saved by a check of its bytes: both names contain "proto", unless an escape hides it. */
const hasPoison = (value: unknown): boolean => {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === null || typeof next !== "object") continue;
    if (Object.hasOwn(next, "__proto__")) return true;
    if (Object.hasOwn(next, "constructor") && hasPrototype((next as Record<string, unknown>)["constructor"]))
      return true;
    // One by one: spreading the members of a long list would overflow the stack.
    for (const member of Object.values(next)) if (typeof member === "object") pending.push(member);
  }
  return false;
};

interface Place {
  readonly value: unknown;
  readonly name: string | number;
  readonly above: Place | null;
}

/** Path of a text with a NUL, which the database does not store; JSON can write it in only one way. */
const placeOfNul = (body: unknown): readonly string[] | null => {
  const pending: Place[] = [{ value: body, name: "", above: null }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value } = place;
    if (typeof value === "string" && value.includes("\0")) return pathTo(place);
    if (value === null || typeof value !== "object") continue;
    const members = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, member] of members) {
      if (typeof member === "object" || typeof member === "string") pending.push({ value: member, name, above: place });
    }
  }
  return null;
};

const pathTo = (place: Place): readonly string[] => {
  const path: string[] = [];
  for (let at = place; at.above !== null; at = at.above) path.push(String(at.name));
  return path.toReversed();
};

const hasPrototype = (value: unknown): boolean =>
  value !== null && typeof value === "object" && Object.hasOwn(value, "prototype");
