import { addressedChannels, addressWords } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";

/** Products that read messages of a form; names are the same in every language. */
export const formWords = (form: string): string =>
  form === "slack" ? say("Slack, Mattermost, Rocket.Chat or Google Chat") : (formNames[form] ?? form);

const formNames: Readonly<Record<string, string>> = Object.assign(
  {},
  ...addressedChannels.map((channel) => addressWords(channel).forms ?? {}),
);
