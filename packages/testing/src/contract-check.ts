import { ErrorReply } from "@curtail/contract";
import { Compile } from "typebox/compile";
import type { SentReply } from "../preload/watch-replies.mjs";
import { type Check, type Described, isOfInterface, type Operation, operationAt } from "./contract-operations.js";

type Media = NonNullable<NonNullable<Described["responses"][string]["content"]>[string]>;

/**
 * How a reply differs from the OpenAPI documents: its status, its headers, missing or additional members. null: not at
 * all, or its address belongs to none of the interfaces.
 */
export const faultOf = (reply: SentReply): string | null => {
  const path = reply.url.replace(/[?#].*$/, "");
  if (!isOfInterface(path)) return null;
  const operation = operationAt(reply.method === "HEAD" ? "GET" : reply.method, path);
  const fault = operation === undefined ? strangerFault(reply) : responseFault(operation, reply);
  const name = operation?.operationId ?? "no operation of the contract";
  return fault === null ? null : `${reply.method} ${path} (${name}) answered ${reply.status}: ${fault}`;
};

const types: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
};

const isError = Compile(ErrorReply);

/** Without an operation in the contract, there must be an error, or a redirect to an operation (G19). */
const strangerFault = (reply: SentReply): string | null => {
  if (reply.status === 308) return null;
  if (reply.status < 400) return "a route that the contract does not have; describe it there";
  if (reply.method === "HEAD") return bodyFault(reply);
  return typeFault(reply) ?? (isError.Check(jsonOf(reply.body)) ? null : "the body is no error");
};

const responseFault = ({ responses, checkOf, requires }: Operation, reply: SentReply): string | null => {
  const response = responses[reply.status];
  // Not every listener has every operation: the operators' port has no participants' interface, production no
  // scenarios.
  if (reply.status === 404 && response === undefined) return strangerFault(reply);
  if (response === undefined) return "the contract does not have this status";
  const due = Object.keys(response.headers ?? {}).filter((name) => requires(name, reply.status));
  const missing = due.filter((name) => reply.headers[name.toLowerCase()] === undefined);
  if (missing.length > 0) return `${missing.join(", ")} is missing`;
  if (response.content === undefined || reply.method === "HEAD") return bodyFault(reply);
  const type = String(reply.headers["content-type"] ?? "nothing").split(";", 1)[0] ?? "";
  const media = response.content[type];
  if (media === undefined) return `${type} instead of ${Object.keys(response.content).join(" or ")}`;
  return mediaFault(media, reply, checkOf);
};

const bodyFault = ({ body }: SentReply): string | null => (body === "" ? null : "a body where none is promised");

const mediaFault = (media: Media, reply: SentReply, checkOf: Operation["checkOf"]): string | null => {
  const { schema, "x-events": events } = media;
  if (events !== undefined)
    return eventsFault(reply.body, (name) => {
      const event = events[name];
      return event === undefined ? null : checkOf(event.data);
    });
  return schema === undefined ? null : (typeFault(reply) ?? checkOf(schema)(jsonOf(reply.body)));
};

/** The `type` of an error must belong to its status (G2). */
const typeFault = ({ status, body }: SentReply): string | null => {
  if (status < 400) return null;
  const { type } = (jsonOf(body) ?? {}) as { type?: unknown };
  return type === types[status] ? null : `the type is ${String(type)} (G2)`;
};

/** Others are comments, and how long to wait before connecting again. */
const isEvent = (block: string): boolean => block !== "" && !block.startsWith(":") && !/^retry: \d+$/.test(block);

/** A chunk of a stream has whole events. */
const eventsFault = (chunk: string, checkNamed: (name: string) => Check | null): string | null => {
  for (const block of chunk.split("\n\n").filter(isEvent)) {
    const [, name = ""] = /^event: (.*)$/m.exec(block) ?? [];
    const check = checkNamed(name);
    if (check === null) return `the contract does not have the event ${JSON.stringify(name)}`;
    const fault = check(jsonOf(/^data: (.*)$/m.exec(block)?.[1] ?? ""));
    if (fault !== null) return `event ${name}: ${fault}`;
  }
  return null;
};

/** undefined for text that is not JSON, which matches no schema. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
