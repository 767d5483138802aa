import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pageGroups, root } from "../src/index.js";
import { readSdk } from "../src/read-sdk.js";
import { sdkModel } from "../src/sdk-cache.js";
import { sdkPlaces } from "../src/sdk-places.js";
import { sdkReference } from "../src/sdk-reference.js";

const model = await sdkModel(root);
const pages = (await pageGroups()).flatMap((group) => group.pages);
const own = pages.filter(({ address }) => address.startsWith("sdk/"));
const pageAt = (address: string) => own.find((page) => page.address === address);

test("every export and member says what it is, links lead somewhere, and all types that callers meet are exported", () => {
  expect(model.faults).toEqual([]);
});

test("every export has a page: packages/docs/src/sdk-topics.ts", () => {
  const places = sdkPlaces(model.exports);
  expect(model.exports.filter(({ name }) => !places.has(name)).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  expect(model.exports.length).toBeGreaterThan(100);
});

test("every link of the reference leads to a page and a section that exist", () => {
  const faults = own.flatMap(({ address, html }) =>
    [...html.matchAll(/href="([^"]+)"/g)].flatMap(([, link = ""]) => {
      const [path = "", anchor = ""] = link.split("#", 2);
      const target = path === "" ? address : posix.join(posix.dirname(address), path);
      const page = pages.find((each) => each.address === target);
      const isThere = page !== undefined && (anchor === "" || page.sections.some(({ id }) => id === anchor));
      return isThere ? [] : [`${address}: ${link}`];
    }),
  );
  expect(faults).toEqual([]);
});

test("a function has its signature, what it throws, an example, and links to its types", () => {
  const text = pageAt("sdk/client/dispatches.html")?.markdown ?? "";
  const section = text.slice(text.indexOf("## watchDispatches"), text.indexOf("## fileState"));
  expect(section).toContain("watchDispatches(\n  participant: WatchedParticipant,\n  options?: WatchOptions,\n)");
  expect(section).toContain("**Throws** [`ErrorResponse`](failures.html#errorresponse)");
  expect(section).toContain("for await (const { type, dispatch } of watchDispatches");
  expect(section).toContain("[`WatchOptions`](#watchoptions)");
});

test("a member has its type, and whether it may be left out", () => {
  expect(pageAt("sdk/client/dispatches.html")?.markdown).toMatch(/^\| `intervalMs` \| `number`; optional \| .*30,000/m);
});

test("a request says what it takes, and a method of a class stands below it", () => {
  const requests = pageAt("sdk/client/requests.html")?.markdown;
  expect(requests).toContain("    /** Identifier of the dispatch. */\n    readonly id: string;");
  expect(pageAt("sdk/spool/spool.html")?.markdown).toContain("### append\n");
});

test("what is internal is on no page", () => {
  expect(model.exports.map(({ name }) => name)).not.toContain("operatorClient");
});

test("the search finds an export by its name", () => {
  expect(pageAt("sdk/client/webhooks.html")?.sections.map(({ text }) => text)).toContain("verifyWebhook");
});

test("a comment that names no export with {@link} is refused", () => {
  const [first] = model.exports;
  if (first === undefined) throw new Error("there are no exports");
  const broken = { ...first, comment: { ...first.comment, text: "See [`nothing`](sdk:nothing)." } };
  expect(() => sdkReference({ exports: [broken], faults: [] })).toThrow("refers to nothing, which is no export");
});

/** Libraries in a folder of their own, of which the client has these declarations. */
const planted = (declarations: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ["tsconfig.base.json", "packages/docs/sdk.tsconfig.json"])
    cpSync(join(root, file), join(folder, file));
  for (const [name, text] of [
    ["client/dist/index", declarations],
    ["client/dist/node", "/** One. */\nexport declare const one: 1;\n"],
    ["spool/dist/index", "/** Two. */\nexport declare const two: 2;\n"],
  ] as const) {
    mkdirSync(join(folder, "packages", name, ".."), { recursive: true });
    writeFileSync(join(folder, "packages", `${name}.d.ts`), text);
  }
  for (const name of ["client", "spool"])
    writeFileSync(join(folder, "packages", name, "package.json"), JSON.stringify({ name: `@curtail/${name}` }));
  return folder;
};

test("a missing comment, a link to nothing and a type that is not exported are found", async () => {
  const { faults } = await readSdk(
    planted(`
export {};
interface Hidden { readonly a: 1 }
/** Takes it. See {@link Nobody}. */
export declare const take: (hidden: Hidden) => void;
export interface Silent {
  /** Says something. */
  readonly loud: string;
  readonly quiet: string;
}
`),
  );
  expect(faults).toEqual([
    expect.stringMatching(/Silent \(Interface\).* does not have any documentation/),
    expect.stringMatching(/Silent\.quiet \(Property\).* does not have any documentation/),
    expect.stringContaining('link to "Nobody"'),
    "take names Hidden, which is not exported",
  ]);
});
