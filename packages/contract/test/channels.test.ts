import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { channelEvidence, evidenceKinds } from "../src/lists/channel-evidence.js";
import {
  addressedChannels,
  channelNames,
  dueWords,
  isAddressed,
  previewChannels,
  reachChannels,
  sendingChannels,
} from "../src/lists/channels.js";

interface Named {
  readonly enum?: readonly string[];
  readonly properties: Readonly<Record<string, Named>>;
}

const { components } = JSON.parse(readFileSync(new URL("../operator-v1.openapi.json", import.meta.url), "utf8")) as {
  readonly components: { readonly schemas: Readonly<Record<string, Named>> };
};
const membersOf = (schema: string) => components.schemas[schema]?.properties ?? {};

describe("channels", () => {
  test("have lines in the table of evidence, of kinds that evidence has", () => {
    for (const channel of channelNames) expect(channelEvidence(channel)).not.toEqual([]);
    const kinds = new Set(channelNames.flatMap((channel) => channelEvidence(channel).flatMap(([whats]) => whats)));
    expect([...kinds].toSorted()).toEqual(evidenceKinds.toSorted());
    expect(membersOf("Evidence")["what"]?.enum).toEqual(evidenceKinds);
  });

  test("are in evidence as they are in the list", () => {
    expect(membersOf("Evidence")["channel"]?.enum).toEqual(channelNames);
  });

  test("whose success notifies an account are counted for each dispatch", () => {
    expect(Object.keys(membersOf("DispatchAttentionReachedBy"))).toEqual(reachChannels);
    expect(channelNames.filter((name) => !reachChannels.some((each) => each === name))).toEqual(["personal"]);
  });

  test("that Curtail sends over have words for what is yet to be sent, unless the account sees it at once", () => {
    const unsaid = sendingChannels.filter((name) => dueWords(name) === undefined);
    expect(unsaid).toEqual(["openadr", "openadr3"]);
    expect(
      channelNames.filter((name) => dueWords(name) !== undefined && !sendingChannels.some((each) => each === name)),
    ).toEqual([]);
  });

  test("of which accounts have an address are shown before a dispatch", () => {
    expect(previewChannels.filter((name) => !isAddressed(name))).toEqual(["rest", "webhook", "openadr", "openadr3"]);
    expect(addressedChannels.filter((name) => !previewChannels.some((each) => each === name))).toEqual([]);
  });
});
