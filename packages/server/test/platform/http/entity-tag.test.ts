import { expect, test } from "vitest";
import { entityTag, isKnown } from "../../../src/platform/http/entity-tag.js";

const tag = entityTag("{}");
const strong = tag.replace("W/", "");

test("a tag is weak, and another one for another body", () => {
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(entityTag("{}")).toBe(tag);
  expect(entityTag("{ }")).not.toBe(tag);
});

test.for([tag, strong, "*", `"other", ${tag}`, `W/"other" ,${strong} `])("%s names the body", (header) => {
  expect(isKnown(tag, header)).toBe(true);
});

test.for([undefined, "", '"other"', strong.replaceAll('"', ""), `${strong}x`])("%s does not", (header) => {
  expect(isKnown(tag, header)).toBe(false);
});
