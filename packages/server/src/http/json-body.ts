import type { FastifyInstance } from "fastify";
import { HttpError } from "./error-replies.js";

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

const parseJson = (body: Buffer): unknown => {
  // A DELETE may announce JSON and bring none; where a body is needed the schema says so.
  if (body.length === 0) return undefined;
  const value = parse(body.toString("utf8"));
  if (mayPoison(body) && hasPoison(value)) {
    throw new HttpError(400, "the body has a member named __proto__ or constructor.prototype; leave it out");
  }
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

/** A quick look at the bytes spares the walk through almost every body; \u005f hides an underscore. */
const mayPoison = (body: Buffer): boolean =>
  body.includes("__proto__") || body.includes("prototype") || body.includes("\\u");

const hasPoison = (value: unknown): boolean => {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === null || typeof next !== "object") continue;
    if (Object.hasOwn(next, "__proto__")) return true;
    if (Object.hasOwn(next, "constructor") && hasPrototype((next as Record<string, unknown>)["constructor"]))
      return true;
    pending.push(...Object.values(next));
  }
  return false;
};

const hasPrototype = (value: unknown): boolean =>
  value !== null && typeof value === "object" && Object.hasOwn(value, "prototype");
