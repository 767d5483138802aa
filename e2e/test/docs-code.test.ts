import { type CodeBlock, codeBlocks } from "@curtail/docs";
import { expect, test } from "vitest";
import { all, blocksOf, of, pages, recipeOf, where } from "./support/docs/blocks.js";
import { DocumentedService } from "./support/docs/documented-service.js";
import { jsonFaults } from "./support/docs/json-blocks.js";
import { recipes } from "./support/docs/recipes.js";
import { expectPageToRun } from "./support/docs/run-page.js";
import { TYPED, typeFaults } from "./support/docs/type-faults.js";

/** Run as they are, or held to the contract, unless a note says otherwise. */
const BY_THEMSELVES = ["sh", "console", "js", "python", "json"];
const PLAIN = ["text"];

const faultOf = (block: CodeBlock): string[] => {
  const { language, notes } = block;
  const recipe = recipeOf(block);
  if (recipe !== undefined) return recipe in recipes ? [] : [`${where(block)}: there is no recipe ${recipe}`];
  if (notes["skip"] !== undefined) return notes["skip"].length < 10 ? [`${where(block)}: skip="…" must say why`] : [];
  if ([...BY_THEMSELVES, ...PLAIN].includes(language)) return [];
  return [`${where(block)}: ${language || "a block"} is not run: name a language, recipe=…, skip="why", or text`];
};

test("every block of code is run, or says why not", () => {
  expect(all.length).toBeGreaterThan(80);
  expect(all.flatMap(faultOf)).toEqual([]);
});

const isTyped = ({ language }: CodeBlock): boolean => language in TYPED;

test("JavaScript and TypeScript of every page pass the strict checks of TypeScript", async () => {
  const typed = [...pages, "packages/client/README.md", "packages/spool/README.md"].flatMap(blocksOf).filter(isTyped);
  expect(typed.length).toBeGreaterThan(9);
  expect(await typeFaults(typed)).toEqual([]);
}, 60_000);

test("a type that does not fit is found at its line", async () => {
  const text = 'const text = "1";\nexport const sum = Math.abs(text);\n';
  const [block] = codeBlocks("page.md", `One.\n\n\`\`\`js\n${text}\`\`\`\n`);
  expect(await typeFaults(block === undefined ? [] : [block])).toEqual([
    expect.stringMatching(/^page\.md:5: error TS2345/),
  ]);
}, 60_000);

test.for(of("json"))("JSON in $page, line $line, is what the contract says", (block) => {
  expect(jsonFaults(block), where(block)).toEqual([]);
});

// The commands, transcripts, programs and recipes of the other pages: docs-code.long.test.ts.
test("the commands of README.md work in the order in which they are written", async () => {
  await expectPageToRun(await DocumentedService.start(), "README.md");
});
