import { say } from "@curtail/words/page";
import { useKeys } from "../../../ui/use-keys.js";
import type { Replay } from "./use-replay.js";

/** @param part what the keys are listed under */
export const useReplayKeys = (part: string, { at, play, step, live }: Replay): void =>
  useKeys(part, [
    { keys: "p", label: at === null ? say("replay", {}, "verb") : say("play or pause"), run: play },
    ...(at === null
      ? []
      : [
          { keys: "ArrowLeft", label: say("a minute back"), run: () => step(-1), repeats: true },
          { keys: "ArrowRight", label: say("a minute on"), run: () => step(1), repeats: true },
          { keys: "l", label: say("live"), run: live },
        ]),
  ]);
