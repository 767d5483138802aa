import { say } from "@curtail/words/page";
import type { OwnEvent } from "../../../rules/openadr3-event-draft.js";
import { Badge, type Tone } from "../../../ui/badge.js";

const states: Readonly<Record<OwnEvent["state"], readonly [Tone, string]>> = {
  upcoming: ["info", say("Upcoming", {}, "event")],
  active: ["good", say("In force")],
  past: ["neutral", say("Over", {}, "event")],
};

export const EventState = ({ state }: Pick<OwnEvent, "state">) => {
  const [tone, word] = states[state];
  return <Badge tone={tone}>{word}</Badge>;
};
