import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../docs/decisions/", import.meta.url));
const files = readdirSync(folder).filter((name) => name !== "README.md");
const HEAD = /^# (?<number>\d+)\. (?<title>.+)\n\nDate: \d{4}-\d{2}-\d{2} · Status: (?<status>.+)\n\n/;
const STATUS = /^(accepted|superseded by \[\d+\]\(\d{4}-[a-z0-9-]+\.md\))$/;

const headOf = (file: string) => HEAD.exec(readFileSync(folder + file, "utf8"))?.groups;

test.for(files)("the decision %s has a number, title, date and status", (file) => {
  expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
  expect(headOf(file)).toMatchObject({
    number: String(Number(file.slice(0, 4))),
    status: expect.stringMatching(STATUS),
  });
});

test("decisions are numbered without gaps", () => {
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
});

test("the index lists every decision with its title and status", () => {
  const entries = files.map((file) => {
    const { number, title, status } = headOf(file) ?? {};
    return `${number}. [${title}](${file}): ${status}`;
  });
  const index = readFileSync(`${folder}README.md`, "utf8");
  expect(index.split("\n").filter((line) => /^\d+\. /.test(line))).toEqual(entries);
});
