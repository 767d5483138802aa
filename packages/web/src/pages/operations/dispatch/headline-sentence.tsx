import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { percent } from "../../../format/quantity.js";
import { type Headline, type HeadlineVerb, wholeKw } from "../../../rules/dispatch-headline.js";
import { sayParts } from "../../../ui/say-parts.js";

/** `Peak relief delivers 5,330 of 8,200 kW, 65%. 2,870 kW short.` */
export const HeadlineSentence = ({
  name,
  words,
  isBad,
}: {
  readonly name: string;
  readonly words: Headline;
  readonly isBad: boolean;
}) => {
  const { delivered, shortKw } = words;
  if (delivered === null) return unmeasured(words.verb, name, words.committedKw);
  return (
    <>
      {measured(words, name, delivered)}{" "}
      {shortKw !== null && shortKw > 0 && (
        <span className={`font-semibold whitespace-nowrap ${isBad ? "text-bad" : ""}`}>
          {say("{kw} kW short.", { kw: wholeKw(shortKw) })}
        </span>
      )}
    </>
  );
};

const unmeasured = (verb: HeadlineVerb, name: string, committedKw: number | null): string => {
  const kw = wholeKw(committedKw ?? 0);
  const hasKw = committedKw !== null;
  switch (verb) {
    case "was not issued yet":
      return say("{name} was not issued yet.", { name });
    case "was cancelled":
      return say("{name} was cancelled.", { name });
    case "was to deliver":
      return hasKw ? say("{name} was to deliver {kw} kW.", { name, kw }) : say("{name} was to deliver.", { name });
    case "will deliver":
      return hasKw ? say("{name} will deliver {kw} kW.", { name, kw }) : say("{name} will deliver.", { name });
    case "had to deliver":
    case "delivered":
      return hasKw ? say("{name} had to deliver {kw} kW.", { name, kw }) : say("{name} had to deliver.", { name });
    case "has to deliver":
    case "delivers":
      return hasKw ? say("{name} has to deliver {kw} kW.", { name, kw }) : say("{name} has to deliver.", { name });
  }
};

const b = (inside: ReactNode) => <b className="font-bold">{inside}</b>;

const measured = (
  { verb, committedKw, isMean }: Headline,
  name: string,
  { kw, share }: NonNullable<Headline["delivered"]>,
): ReactNode => {
  const values = { name, b, kw: wholeKw(kw), committed: wholeKw(committedKw ?? 0), share: percent(share) };
  if (share === null) {
    if (isMean) return sayParts("{name} delivered <b>{kw}</b> kW on average.", values);
    return verb === "delivers"
      ? sayParts("{name} delivers <b>{kw}</b> kW.", values)
      : sayParts("{name} delivered <b>{kw}</b> kW.", values);
  }
  if (isMean) return sayParts("{name} delivered <b>{kw}</b> of {committed} kW on average, {share}.", values);
  return verb === "delivers"
    ? sayParts("{name} delivers <b>{kw}</b> of {committed} kW, {share}.", values)
    : sayParts("{name} delivered <b>{kw}</b> of {committed} kW, {share}.", values);
};
