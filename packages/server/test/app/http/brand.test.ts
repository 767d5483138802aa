import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { running } from "../../support/running.js";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><rect width="8" height="8"/></svg>';
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const NAME = `"><script>x</script>'$&٪`;
const FOOTER = '<b>Acme</b> & Co, 1 "Main" Street ⚡ طاقة';
const LINKS = "Imprint=https://acme.example/imprint?a=1&b=%22;<i>Privacy</i>=https://acme.example/privacy";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "curtail-brand-"));
});
afterAll(() => rm(folder, { recursive: true }));

const logo = async (name: string, content: string | Buffer) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

const served = async (settings: Readonly<Record<string, string>>) => {
  const { url } = await running(settings);
  return async (path: string, headers: Readonly<Record<string, string>> = { accept: "text/html" }) => {
    const answer = await fetch(url + path, { headers, redirect: "manual" });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
};

const unescaped = (text: string) =>
  text.replaceAll(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" })[name] ?? "",
  );

/** What the scripts of a page read. */
const knownTo = (html: string) => JSON.parse(unescaped(/<meta name="brand" content="([^"]*)">/.exec(html)?.[1] ?? ""));

describe("a service with a hostile brand", () => {
  let get: Awaited<ReturnType<typeof served>>;
  beforeAll(async () => {
    get = await served({
      CURTAIL_BRAND_NAME: NAME,
      CURTAIL_BRAND_LOGO: await logo("logo.svg", SVG),
      CURTAIL_BRAND_COLOUR: "#1D4ED8",
      CURTAIL_BRAND_FOOTER: FOOTER,
      CURTAIL_BRAND_LINKS: LINKS,
    });
  });

  test.each(["/", "/sign-in", "/operations", "/operations/alarms", "/operations/wall", "/dashboard", "/dashboard/x"])(
    "%s names it, and Curtail nowhere",
    async (path) => {
      for (const language of ["en", "es", "de", "fr"]) {
        const { text } = await get(path, { accept: "text/html", "accept-language": language });
        expect(text).not.toContain("<script>x");
        expect(text.replaceAll(/\/assets\/\S+/g, "")).not.toMatch(/Curtail|icon\.svg|icon-192/);
        expect(knownTo(text)).toEqual({
          name: NAME,
          logo: expect.stringMatching(/^\/brand\/logo-[0-9a-f]{12}\.svg$/),
          footer: FOOTER,
          links: [
            { label: "Imprint", url: "https://acme.example/imprint?a=1&b=%22" },
            { label: "<i>Privacy</i>", url: "https://acme.example/privacy" },
          ],
        });
        expect(text).toMatch(/<style>:root \{ --accent: light-dark\(#1d4ed8, #[0-9a-f]{6}\);/);
        expect(unescaped(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? "")).toBe(NAME);
      }
    },
  );

  test("its logo runs no script and may be kept for ever, under an address of its content", async () => {
    const { logo: path } = knownTo((await get("/sign-in")).text);
    const { status, headers, text } = await get(path, {});
    expect([status, text]).toEqual([200, SVG]);
    expect(headers.get("content-type")).toBe("image/svg+xml");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toContain("immutable");
    expect((await get("/brand/logo-000000000000.svg", {})).status).toBe(404);
  });

  test("the files of an installed app are its own", async () => {
    const manifest = JSON.parse((await get("/manifest.webmanifest", {})).text);
    expect(manifest).toMatchObject({ name: NAME, short_name: NAME, theme_color: "#1d4ed8" });
    expect(manifest.icons).toEqual([
      { src: expect.stringContaining("/brand/logo-"), sizes: "any", type: "image/svg+xml" },
    ]);
    const offline = (await get("/offline.html")).text;
    expect(offline).not.toMatch(/Curtail|<svg|<script>x|#0b6e66|#4fd1c0/);
    expect(offline).toContain(`<img src="data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}"`);
    const worker = (await get("/service-worker.js", {})).text;
    expect(worker).toContain(`title: ${JSON.stringify(NAME)},`);
    expect(worker).not.toContain("Curtail");
  });

  test("one-time links name it, escaped", async () => {
    for (const path of ["/invitation/x", "/first-user/x", "/claim/x", "/claim/ven/x"]) {
      const { text } = await get(path);
      expect(unescaped(text)).toContain(NAME);
      expect(text).not.toMatch(/Curtail|<script>x/);
    }
  });

  test("what programs read is Curtail's", async () => {
    expect((await get("/2022-04-15/docs", { accept: "text/html" })).text).toContain("Curtail");
    expect((await get("/operator/v1/accounts", {})).headers.get("www-authenticate")).toContain('realm="Curtail"');
  });
});

test("a PNG is also the icon of phones and notifications", async () => {
  const get = await served({ CURTAIL_BRAND_LOGO: await logo("logo.png", PNG) });
  const page = (await get("/operations")).text;
  const { logo: path } = knownTo(page);
  expect(path).toMatch(/\.png$/);
  expect(page).toContain(`<link rel="apple-touch-icon" href="${path}" />`);
  expect((await get("/service-worker.js", {})).text).toContain(`icon: "${path}"`);
  expect((await get(path, {})).headers.get("content-type")).toBe("image/png");
});

test("without a brand the pages are those of the build", async () => {
  const get = await served({});
  const { text } = await get("/operations");
  expect(text).toContain("<title>Curtail</title>");
  expect(text).not.toMatch(/name="brand"|--accent:/);
  expect(JSON.parse((await get("/manifest.webmanifest", {})).text).icons).toHaveLength(4);
});

test.each([
  ["a text file", "logo.txt", "not a picture", /must name an SVG or PNG file/],
  ["HTML with an SVG in it", "logo.html", "<html><svg></svg></html>", /must name an SVG or PNG file/],
  ["one byte too many", "large.svg", SVG.padEnd(200_001), /at most 200000 bytes; .* has 200001/],
])("%s as its logo ends the start", async (_, name, content, message) => {
  const file = await logo(name, content);
  await expect(running({ CURTAIL_BRAND_LOGO: file })).rejects.toThrow(message);
});

test("a logo of the most bytes is taken; a missing file ends the start", async () => {
  const get = await served({ CURTAIL_BRAND_LOGO: await logo("most.svg", SVG.padEnd(200_000)) });
  expect((await get("/sign-in")).text).toContain("/brand/logo-");
  const missing = running({ CURTAIL_BRAND_LOGO: join(folder, "missing.svg") });
  await expect(missing).rejects.toThrow(/must name a file that the service may read; .*missing\.svg is not/);
});
