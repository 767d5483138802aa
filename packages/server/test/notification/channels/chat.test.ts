import fc from "fast-check";
import { expect, test } from "vitest";
import { chat } from "../../../src/notification/channels/chat/chat.js";

const address = "https://chat.example/hook";
const link = "https://curtail.example/dashboard/dispatches/dis_1";
const bodyOf = (form: string | null, title: string, lines: readonly string[]) =>
  JSON.parse(chat.requestOf({ title, lines, link, linkName: "Open the dispatch" }, { address, form }).body);

test("Slack is sent no link, mention or command of a name, whatever it is", () => {
  expect(bodyOf("slack", "<!channel> & <https://evil.example|Peak>", []).text).toBe(
    `*&lt;!channel&gt; &amp; &lt;https://evil.example|Peak&gt;*\n<${link}|Open the dispatch>`,
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (title, lines) => {
      const { text } = bodyOf("slack", title, lines);
      expect(text.match(/<[^>]*>/g)).toEqual([`<${link}|Open the dispatch>`]);
    }),
  );
});

test("Mattermost and Rocket.Chat are sent no link or mention of a name", () => {
  const { text } = bodyOf("slack", "@all: Peak", ["[Mill](https://evil.example): 50 kW", "@channel @here"]);
  expect(text).not.toMatch(/@\w|\]\(/);
  expect(text.replaceAll("\u200B", "")).toBe(
    `*@all: Peak*\n[Mill](https://evil.example): 50 kW\n@channel @here\n<${link}|Open the dispatch>`,
  );
});

test("Teams is sent names as they are, in runs that have no markup", () => {
  const [{ contentType, content }] = bodyOf("teams", "**Peak** [x](https://evil.example)", ["Mill: 50 kW"]).attachments;
  expect(contentType).toBe("application/vnd.microsoft.card.adaptive");
  expect(content.body).toEqual([
    {
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text: "**Peak** [x](https://evil.example)", weight: "Bolder" }],
    },
    { type: "RichTextBlock", inlines: [{ type: "TextRun", text: "Mill: 50 kW" }] },
  ]);
});
