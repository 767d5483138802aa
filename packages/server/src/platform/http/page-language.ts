import { isLanguage, type Language, languageFor } from "@curtail/words";
import type { FastifyRequest } from "fastify";

/** Set by the pages, where a person chooses. */
const CHOSEN = /(?:^|; ?)language=([a-z]{2})(?:;|$)/;

/** The language of the pages for a request: the chosen one, or the first that the browser asks for and we have. */
export const languageOf = ({ headers }: FastifyRequest): Language => {
  const [, chosen] = CHOSEN.exec(headers.cookie ?? "") ?? [];
  if (isLanguage(chosen)) return chosen;
  return languageFor(headers["accept-language"] ?? "") ?? "en";
};
