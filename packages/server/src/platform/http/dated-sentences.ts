import { type DatedVersion, identified, prefixOf, sentenceWordingOf, type Wording } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { DatedIds } from "../dated-ids.js";
import { answeredMessageOf, setAnsweredMessage } from "./error-replies.js";
import { requestValue } from "./request-value.js";

const FIRST_ERROR = 400;

/** Ids of ours in a sentence, with or without quotation marks. */
const ID = new RegExp(`"?\\b((?:${identified.map(prefixOf).join("|")})\\w{6,})\\b"?`, "g");

export const idsInSentences = (sentences: readonly string[]): readonly string[] =>
  sentences.flatMap((sentence) => [...sentence.matchAll(ID)].map(([, id = ""]) => id));

/** Says a sentence of the current version in the words and with the numbers of an earlier one. */
export const sentenceOf = (version: DatedVersion, numbers: ReadonlyMap<string, number>): Wording => {
  const worded = sentenceWordingOf(version);
  return (sentence) =>
    worded(
      sentence.replaceAll(ID, (quoted, id: string) => {
        const number = numbers.get(id);
        // Quoted as what has no number is: the difference would show a stranger which numbers are given.
        return number === undefined ? quoted : quoted.replace(id, String(number));
      }),
    );
};

const sent = requestValue<readonly string[]>();

/** Records the ids that a request's numbers stand for. */
export const setSentIds = (request: FastifyRequest, ids: readonly string[]): void => sent.set(request, ids);

/** An id in quotation marks was sent; as it is, unless a number was sent in its place. */
const isOurs = (message: string, id: string, numbered: readonly string[]): boolean =>
  !message.includes(`"${id}"`) || numbered.includes(id);

/** Words every error of a scope as an earlier version does, in the request log, too. */
export const wordErrors = (
  scope: FastifyInstance,
  { version, ids }: { readonly version: DatedVersion; readonly ids: DatedIds },
): void => {
  scope.addHook("onSend", async (request, { statusCode }, payload) => {
    const message = answeredMessageOf(request);
    if (statusCode < FIRST_ERROR || message === null || typeof payload !== "string") return payload;
    const said = idsInSentences([message]).filter((id) => isOurs(message, id, sent.get(request) ?? []));
    // The database may be what failed: the message then keeps its ids.
    const numbers = await ids.knownNumbersOf(said).catch(() => new Map<string, number>());
    const worded = sentenceOf(version, numbers)(message);
    setAnsweredMessage(request, worded);
    return JSON.stringify({ ...(JSON.parse(payload) as object), message: worded });
  });
};
