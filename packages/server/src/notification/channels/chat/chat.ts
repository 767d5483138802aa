import type { Said } from "../../domain/channel-address.js";
import type { Channel } from "../channel.js";

/** Posts to an incoming webhook of a chat service, in the form that it reads. */
export const chat: Channel = {
  requestOf: (said, { address, form }) => ({
    url: address,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(form === "teams" ? asCard(said) : asMarkup(said)),
  }),
};

/** The title is bold. */
const asMarkup = ({ title, lines, link, linkName }: Said): object => ({
  text: [
    `*${escaped(title)}*`,
    ...lines.map(escaped),
    ...(link === null ? [] : [`<${link}|${escaped(linkName)}>`]),
  ].join("\n"),
});

const UNSEEN = "\u200B";

/**
 * A name in angle brackets would be a link, or call everybody in the room (Slack's "escaping text"). Mattermost and Rocket.Chat
 * read Markdown and `@all`, too, unless there is something between their characters.
 */
const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", `@${UNSEEN}`)
    .replaceAll("](", `]${UNSEEN}(`);

/** An Adaptive Card, which is all that workflows of Teams read. Runs of text have no markup, so names are shown as they are. */
const asCard = ({ title, lines, link, linkName }: Said): object => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [paragraph(title, { weight: "Bolder" }), ...lines.map((line) => paragraph(line, {}))],
        actions: link === null ? [] : [{ type: "Action.OpenUrl", title: linkName, url: link }],
      },
    },
  ],
});

const paragraph = (text: string, look: object): object => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...look }],
});
