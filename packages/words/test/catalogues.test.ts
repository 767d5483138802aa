import IntlMessageFormat from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { PARTS, readCatalogue } from "../src/catalogues.js";
import { LANGUAGES } from "../src/index.js";

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/** Names of values, and of tags, that a message needs; `=3` and `one` are its own. */
const namesIn = (elements: readonly Element[]): string[] =>
  elements.flatMap((element) => {
    const name = "value" in element && element.type !== 0 ? [element.value] : [];
    const options = "options" in element ? Object.values(element.options).flatMap(({ value }) => namesIn(value)) : [];
    return [...name, ...options, ...("children" in element ? namesIn(element.children) : [])];
  });

const needsOf = (text: string): string[] =>
  [...new Set(namesIn(new IntlMessageFormat(text, "en").getAst()))].toSorted();

/** Without its context, which tells equal texts apart. */
const englishOf = (key: string): string => key.replace(/ \[[^\]]*\]$/, "");

const faultOf = (key: string, text: string): string[] => {
  try {
    const [english, said] = [needsOf(englishOf(key)), needsOf(text)];
    return said.join() === english.join() ? [] : [`${key}: needs ${english.join()}, has ${said.join()}`];
  } catch (error) {
    return [`${key}: ${String(error)}`];
  }
};

describe("each translation", () => {
  test.for(LANGUAGES.filter((language) => language !== "en"))(
    "is a message with what its English has: %s",
    (language) => {
      const texts = Object.entries(readCatalogue(language, PARTS));
      expect(texts.flatMap(([key, text]) => faultOf(key, text))).toEqual([]);
    },
  );
});
