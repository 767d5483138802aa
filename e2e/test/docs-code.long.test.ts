import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runAdmin } from "@curtail/cli/admin";
import { type CodeBlock, codeBlocks, root, sidebar } from "@curtail/docs";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DocumentedService } from "./support/docs/documented-service.js";
import { jsonFaults } from "./support/docs/json-blocks.js";
import { type Documented, filledIn, withoutIds } from "./support/docs/placeholders.js";
import { recipes } from "./support/docs/recipes.js";
import { runShell } from "./support/docs/run-shell.js";
import { commandsIn, labelsIn, wordsOf } from "./support/docs/transcript.js";
import { TYPED, typeFaults } from "./support/docs/type-faults.js";
import { OPERATOR_TOKEN } from "./support/service-process.js";

/** The packages run what their READMEs show in tests of their own; what developers type is not for a running service. */
const isForReaders = (file: string): boolean => /^(docs|examples)\//.test(file);
/** They wait for the real clock, so `real-time/` runs them beside other tests. */
const BY_THE_CLOCK = ["docs/tutorial.md", "docs/start.md"];

const pages = ["README.md", ...sidebar.flatMap(({ files }) => files).filter(isForReaders)];
const blocksOf = (page: string): readonly CodeBlock[] => codeBlocks(page, readFileSync(join(root, page), "utf8"));
const all = pages.flatMap(blocksOf);
const where = ({ page, line }: CodeBlock): string => `${page}:${line}`;
const isSkipped = ({ notes }: CodeBlock): boolean => notes["skip"] !== undefined;
const recipeOf = ({ notes }: CodeBlock): string | undefined => notes["recipe"];
const of = (language: string): readonly CodeBlock[] =>
  all.filter((each) => each.language === language && !isSkipped(each) && recipeOf(each) === undefined);

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

describe("on a running service", () => {
  let documented: DocumentedService;
  beforeAll(async () => {
    documented = await DocumentedService.start();
  });

  const environmentOf = ({ url, sandboxUrl, apiKey }: Documented) => ({
    PATH: `${join(documented.folder, "bin")}:${process.env["PATH"] ?? ""}`,
    CURTAIL_URL: url,
    CURTAIL_SANDBOX_URL: sandboxUrl,
    CURTAIL_PUBLIC_URL: url,
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    CURTAIL_API_KEY: apiKey,
    TOKEN: OPERATOR_TOKEN,
  });

  const withShell = pages.filter(
    (page) => !BY_THE_CLOCK.includes(page) && of("sh").some((block) => block.page === page),
  );
  test.for(withShell)("the commands of %s work in the order in which they are written", async (page) => {
    const blocks = of("sh").filter((block) => block.page === page);
    const parts: string[] = [];
    for (const block of blocks)
      parts.push(`echo "# line ${block.line}"\n${filledIn(block.text, await documented.values(block))}`);
    // A status that is an error ends the script.
    const curl = 'curl() { command curl --fail-with-body --silent --show-error --max-time 20 "$@"; }\n';
    const environment = environmentOf(await documented.values());
    const { code, output } = await runShell(curl + parts.join("\n"), { folder: documented.folder, environment });
    expect(code, output).toBe(0);
  });

  const run = async (words: readonly string[]) => {
    let output = "";
    const write = (text: string | Uint8Array) => void (output += text instanceof Uint8Array ? "" : text);
    const code = await runAdmin(words, {
      stdout: { write },
      stderr: { write },
      readSettings: () => ({
        settings: {
          publicUrl: documented.service.url,
          port: 0,
          operatorPublicUrl: null,
          operatorPort: null,
          operatorToken: OPERATOR_TOKEN,
          apiKeyHeader: "X-Service-API-Key",
          noColor: true,
        },
      }),
      now: () => new Date(),
      wait: async () => {},
      onInterrupt: () => () => {},
    });
    return { code, output };
  };

  test.for(of("console"))("the transcript in $page, line $line, is what the commands do", async (block) => {
    const values = await documented.values(block);
    const folder = process.cwd();
    process.chdir(documented.folder);
    onTestFinished(() => process.chdir(folder));
    for (const { command, printed } of commandsIn(block.text)) {
      const [name, noun, ...rest] = wordsOf(filledIn(command, values));
      expect([name, noun], where(block)).toEqual(["curtail", "admin"]);
      const { code, output } = await run(rest);
      const refusal = printed.find((line) => line.startsWith("curtail: "));
      expect(code, `${where(block)}: ${command}\n${output}`).toBe(refusal === undefined ? 0 : 1);
      if (refusal !== undefined) expect(withoutIds(output)).toContain(withoutIds(refusal));
      for (const label of labelsIn(printed))
        expect(output, `${where(block)}: ${command}`).toMatch(new RegExp(`^${label}: `, "m"));
    }
  });

  test.for([...of("js"), ...of("python")])("$language in $page, line $line, runs", async (block) => {
    const values = await documented.values();
    const program = block.language === "js" ? [process.execPath, "--input-type=module", "-"] : ["python3", "-"];
    const [command = "", ...args] = program;
    const printed = execFileSync(command, args, {
      cwd: documented.folder,
      input: filledIn(block.text, values),
      env: { ...process.env, ...environmentOf(values) },
      encoding: "utf8",
    });
    expect(printed).not.toBe("");
  });

  test.for(Object.entries(recipes))("the recipe %s reaches the service as it is written", async ([name, recipe]) => {
    const values = await documented.values();
    const blocks = all.filter((block) => recipeOf(block) === name);
    await recipe({ blocks, values, documented });
  });
});
