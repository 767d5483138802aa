import type { Doubt } from "./mapping.js";
import type { OpenLength } from "./series-intervals.js";

export const lengthDoubt = ({ line, question, seconds }: OpenLength): Doubt => ({
  line,
  member: "interval_seconds",
  question,
  choices: seconds.map((value) => ({ value, meaning: "intervals are missing between them" })),
});

/** The fault that a doubt is until a mapping answers it. */
export const doubtFault = ({ member, question, choices }: Doubt): string => {
  const answers = choices.slice(0, 6).map(({ value, meaning }) => `${answer(member, value)} (${meaning})`);
  return answers.length === 0 ? question : `${question} State it with mapping ${answers.join(" or ")}`;
};

/** How a mapping answers a doubt: `time.format` is `{"time":{"format":…}}`. */
const answer = (member: string, value: unknown): string => {
  const [first = "", second] = member.split(/\[\]\.|\./);
  const inner = second === undefined ? value : { [second]: value };
  return JSON.stringify({ [first]: member.includes("[]") ? [inner] : member === "meter_columns" ? [inner] : inner });
};
