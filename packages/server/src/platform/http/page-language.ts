import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLanguage, type Language, languageFor, serviceWords, type Words } from "../words.js";

/** Set by the pages, where a person chooses. */
const CHOSEN = /(?:^|; ?)language=([a-z]{2})(?:;|$)/;

/** What a listener's pages are in if nobody asks for another language. */
const SETTING = "pageLanguage";

export const setPageLanguage = (app: FastifyInstance, setting: Language): void => void app.decorate(SETTING, setting);

/** The language of a page for a request: the chosen one, the first that the browser asks for and we have, or that of the service. */
export const pageLanguage = ({ headers, server }: FastifyRequest): Language => {
  const [, chosen] = CHOSEN.exec(headers.cookie ?? "") ?? [];
  if (isLanguage(chosen)) return chosen;
  return languageFor(headers["accept-language"] ?? "") ?? server.getDecorator<Language>(SETTING);
};

export const pageWords = (request: FastifyRequest): Words => serviceWords(pageLanguage(request));
