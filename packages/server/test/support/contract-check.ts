import { ConflictReply, type Endpoint, ErrorReply } from "@curtail/contract";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Answer, Send } from "./http-client.js";

/** What goes out is UTC with Z (G8). */
const OUTGOING_TIMESTAMP = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$`;

/**
 * Sends as `send` does, and fails the test when an answer is not what the contract says of its endpoint: its status,
 * every member it must have and none beyond them, timestamps in UTC.
 */
export const checkedAgainst = (endpoints: readonly Endpoint[], send: Send): Send => {
  const expectations = endpoints.map(expectationOf);
  return async (method, path, body, headers) => {
    const answer = await send(method, path, body, headers);
    const fault = faultOf(
      answer,
      expectations.find((each) => each.method === method && each.path.test(path)),
    );
    if (fault !== null)
      throw new Error(`${method} ${path} breaks the contract: ${fault}\n${answer.text.slice(0, 2000)}`);
    return answer;
  };
};

interface Expectation {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  /** Says what is wrong with a success's body. */
  readonly reply: ((answer: Answer) => string | null) | null;
  /** The same for a 202 that tells to ask again. */
  readonly notYet: ((answer: Answer) => string | null) | null;
  /** Media types of files. */
  readonly files: readonly string[];
}

const expectationOf = ({ method, path, status = 200, reply, notYet, files = [] }: Endpoint): Expectation => ({
  method,
  path: new RegExp(String.raw`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\?|$)`),
  status,
  reply: reply === undefined ? null : checkOf(reply),
  notYet: notYet === undefined ? null : checkOf(notYet),
  files,
});

const checkOf = (schema: TSchema): ((answer: Answer) => string | null) => {
  let compiled: ReturnType<typeof Compile> | undefined;
  return ({ body }) => {
    compiled ??= Compile(strict(JSON.parse(JSON.stringify(schema))) as TSchema);
    if (compiled.Check(body)) return null;
    const faults = [...compiled.Errors(body)].slice(0, 5);
    return faults.map((fault) => `${fault.instancePath} ${fault.message}`).join("; ");
  };
};

const errorStatuses = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
};
const checkError = checkOf(ErrorReply);
const checkConflict = checkOf(ConflictReply);

const faultOf = (answer: Answer, expected: Expectation | undefined): string | null => {
  if (answer.status >= 400) {
    const type = (errorStatuses as Record<number, string>)[answer.status];
    if (answer.body?.type !== type) return `status ${answer.status} does not go with type ${answer.body?.type} (G2)`;
    return answer.status === 409 ? checkConflict(answer) : checkError(answer);
  }
  if (expected === undefined || answer.status === 308) return null;
  if (answer.status === 202 && expected.notYet !== null) return expected.notYet(answer);
  if (answer.status !== expected.status) return `status ${answer.status} instead of ${expected.status}`;
  if (expected.files.length > 0) return fileFaultOf(answer, expected.files);
  return expected.reply === null
    ? answer.text === ""
      ? null
      : "a body where none is promised"
    : expected.reply(answer);
};

const fileFaultOf = ({ headers }: Answer, files: readonly string[]): string | null => {
  const type = headers.get("content-type")?.split(";")[0] ?? "nothing";
  return files.includes(type) ? null : `${type} instead of ${files.join(" or ")}`;
};

/** The schema without room for members that it does not name, and with timestamps spelled out. */
const strict = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(strict);
  if (node === null || typeof node !== "object") return node;
  const walked = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, strict(value)]));
  if (walked["type"] === "object") return { ...walked, additionalProperties: false };
  if (walked["format"] === "date-time") return { type: "string", pattern: OUTGOING_TIMESTAMP };
  return walked;
};
