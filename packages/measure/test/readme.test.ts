import { readFile } from "node:fs/promises";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import * as measure from "../src/index.js";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

test("the example in the README runs and prints what it says", () => {
  const example = /```js\n(.+?)```/s.exec(readme)?.[1] ?? "";
  const promised = [...example.matchAll(/console\.log.+\/\/ (.+)/g)].map(([, text]) => text);
  const printed: string[] = [];
  const body = example.replace(/import (\{.+\}) from "@curtail\/measure";/, "const $1 = measure;");
  const run = runInThisContext(`(measure, console) => {${body}}`) as (api: object, console: object) => void;
  run(measure, { log: (...words: unknown[]) => printed.push(words.join(" ")) });
  expect(printed).toHaveLength(3);
  expect(printed).toEqual(promised);
});

test("the README names every preset", () => {
  for (const { id, name } of measure.presets) {
    expect(readme).toMatch(new RegExp(`\\| \`${id}\` +\\| ${name.replace(/[()]/g, "\\$&")} +\\|`));
  }
});
