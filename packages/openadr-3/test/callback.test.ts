import { expect, test } from "vitest";
import { callbackFault } from "../src/index.js";

const strict = () => false;
const inside = (hostname: string) => hostname === "10.0.0.1";

test("an address to call back is https, complete, and has neither credentials nor a fragment", () => {
  expect(callbackFault("https://example.com:8443/callback?tenant=1", strict)).toBeNull();
  expect(callbackFault("http://example.com/", strict)).toMatch(/https/);
  expect(callbackFault("ftp://example.com/", () => true)).toMatch(/https/);
  expect(callbackFault("https://", strict)).toMatch(/complete/);
  expect(callbackFault("example.com", strict)).toMatch(/complete/);
  expect(callbackFault("https://user:secret@example.com/", strict)).toMatch(/bearerToken/);
  expect(callbackFault("https://example.com/#top", strict)).toMatch(/fragment/);
});

test("an address to call back has no white space and no control characters", () => {
  for (const url of [
    " https://a.example/",
    "https://a.example/a\nb",
    "https://a.exa\tmple/",
    "https://a.example/\u007f",
  ])
    expect(callbackFault(url, strict)).toMatch(/white space/);
});

test("it may be http where the operator allows that", () => {
  expect(callbackFault("http://10.0.0.1/callback", inside)).toBeNull();
  expect(callbackFault("http://10.0.0.2/callback", inside)).toMatch(/https/);
});
