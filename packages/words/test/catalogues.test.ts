import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { saidTexts } from "../../../scripts/said-texts.mjs";
import { PARTS, readCatalogue } from "../src/catalogues.js";
import { LANGUAGES } from "../src/index.js";

const said = saidTexts();
const keys = new Set(said.map(({ key }) => key));
const translated = LANGUAGES.filter((language) => language !== "en");

/** Kinds of parts of a message (`TYPE` of the parser of ICU messages). */
const [LITERAL, PLURAL, POUND, TAG] = [0, 6, 7, 8];

interface Element {
  readonly type: number;
  readonly value?: string;
  readonly children?: readonly Element[];
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>;
}

const parsed = (text: string): readonly Element[] => new IntlMessageFormat(text, "en").getAst();

/** Names of values and tags. */
const namesIn = (elements: readonly Element[]): readonly string[] =>
  elements.flatMap(({ type, value = "", children = [], options = {} }) => [
    ...(type === LITERAL || type === POUND ? [] : [type === TAG ? `<${value}>` : value]),
    ...namesIn(children),
    ...Object.values(options).flatMap((option) => namesIn(option.value)),
  ]);

const distinct = (text: string): readonly string[] => [...new Set(namesIn(parsed(text)))].toSorted();

const withoutMembers = (text: string): readonly string[] =>
  distinct(text).filter((name) => !/^(member|index)\d*$/.test(name));

const pluralsIn = (elements: readonly Element[]): readonly string[][] =>
  elements.flatMap(({ type, children = [], options = {} }) => [
    ...(type === PLURAL ? [Object.keys(options)] : []),
    ...pluralsIn(children),
    ...Object.values(options).flatMap((option) => pluralsIn(option.value)),
  ]);

const textOf = (key: string): string => said.find((each) => each.key === key)?.text ?? key;

describe("texts that the code says", () => {
  test("are messages whose values are given", () => {
    const wrong = said.flatMap(({ text, values, file }) => {
      const asked = distinct(text).map((name) => name.replace(/[<>]/g, ""));
      return values === null || asked.every((name) => values.includes(name)) ? [] : [`${file}: ${text}`];
    });
    expect(wrong).toEqual([]);
  });

  test("have a branch for everything else in each plural", () => {
    const wrong = said.filter(({ text }) => pluralsIn(parsed(text)).some((branches) => !branches.includes("other")));
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
});

describe.each(translated)("the catalogue of %s", (language) => {
  const catalogue = readCatalogue(language, PARTS);
  const entries = Object.entries(catalogue).filter(([key]) => keys.has(key));

  test("has each text that is said", () => {
    expect([...keys].filter((key) => catalogue[key] === undefined)).toEqual([]);
  });

  test("has nothing that is not said", () => {
    expect(Object.keys(catalogue).filter((key) => !keys.has(key))).toEqual([]);
  });

  test("has messages with the values and tags of the English ones, but for members, which their fields show", () => {
    const wrong = entries.filter(([key, text]) => String(withoutMembers(text)) !== String(withoutMembers(textOf(key))));
    expect(wrong).toEqual([]);
  });

  test("has each plural that the language needs", () => {
    const needed = new Intl.PluralRules(language)
      .resolvedOptions()
      // A million of something has a form of its own in Spanish and French; the others serve for it.
      .pluralCategories.filter((category) => category !== "many");
    const lacksSome = (branches: readonly string[]): boolean => {
      const categories = branches.filter((branch) => !branch.startsWith("="));
      // One number apart from all others, such as `=0`, is no plural.
      return String(categories) !== "other" && !needed.every((category) => categories.includes(category));
    };
    const wrong = entries.filter(([, text]) => pluralsIn(parsed(text)).some(lacksSome));
    expect(wrong).toEqual([]);
  });

  test("has a text for each", () => {
    expect(entries.filter(([, text]) => text.trim() === "" || text !== text.trim())).toEqual(
      entries.filter(([key, text]) => text !== text.trim() && key !== key.trim()),
    );
  });
});
