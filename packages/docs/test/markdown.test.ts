import { expect, test } from "vitest";
import { codeBlocks, render } from "../src/index.js";

const same = (link: string): string => link;

test("headings have the anchors that GitHub gives them, counted if they repeat", () => {
  const { title, sections } = render("# The `kW` of a site\n\n## Why?\n\n## Why?\n\nBecause.\n", same);
  expect(title).toBe("The kW of a site");
  expect(sections.map(({ id }) => id)).toEqual(["the-kw-of-a-site", "why", "why-1"]);
});

test("a section has its text without markup, for the search", () => {
  const { sections } = render("# A\n\nRead the _first_ [page](b.md).\n\n- one\n- two\n\n```sh\nls\n```\n", same);
  expect(sections[0]?.body).toBe("Read the first page. one two ls");
});

test("links and images are rewritten, HTML is shown as text", () => {
  const { html } = render("# A\n\n[b](b.md) ![c](c.png) <script>alert(1)</script>\n", (link) => `x/${link}`);
  expect(html).toContain('href="x/b.md"');
  expect(html).toContain('src="x/c.png"');
  expect(html).toContain("&lt;script&gt;");
});

test("code keeps its text, and markup in it is text", () => {
  expect(render("# A\n\n```text\n<b> & c\n```\n", same).html).toContain("&lt;b&gt; &amp; c");
  expect(render("# A\n\n```sh run\necho '<b>'\n```\n", same).html).toContain("&lt;b&gt;");
});

test("blocks of code have their line, their language and their notes", () => {
  const page =
    '# A\n\n```json request=createDispatch\n{}\n```\n\n- item\n\n  ```sh skip="needs a database" run\n  ls\n  ```\n';
  expect(codeBlocks("a.md", page)).toEqual([
    { page: "a.md", line: 4, language: "json", notes: { request: "createDispatch" }, text: "{}\n" },
    { page: "a.md", line: 10, language: "sh", notes: { skip: "needs a database", run: "true" }, text: "ls\n" },
  ]);
});

test("an indented transcript is a console, other indented code has no language", () => {
  const blocks = codeBlocks("a.md", "# A\n\n    $ curtail admin accounts list\n\nText.\n\n    POST /vtn\n");
  expect(blocks.map(({ language, line }) => [language, line])).toEqual([
    ["console", 3],
    ["", 7],
  ]);
});
